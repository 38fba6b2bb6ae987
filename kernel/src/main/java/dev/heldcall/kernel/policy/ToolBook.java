package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ToolEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tool registry with the kernel's own tools, schemas compiled and digests made. */
final class ToolBook {

  /** One tool, ready for use. */
  record Tool(
      ToolEntry entry, @Nullable ToolSchema args, @Nullable ToolSchema result, Digest digest) {}

  private final Map<String, Tool> tools;
  private final ObjectNode json;

  private ToolBook(Map<String, Tool> tools, ObjectNode json) {
    this.tools = tools;
    this.json = json;
  }

  /**
   * Compiles the registry.
   *
   * @throws PolicyException with a pointer {@code /tool/schema} for each schema that is none
   */
  static ToolBook compile(Map<String, ToolEntry> configured) throws PolicyException {
    Map<String, ToolEntry> all = new TreeMap<>(configured);
    BuiltInTools.entries().forEach(entry -> all.put(entry.name(), entry));
    List<PolicyProblem> problems = new ArrayList<>();
    Map<String, Tool> tools = new HashMap<>();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    all.forEach(
        (name, entry) -> {
          String at = "/" + Fields.escaped(name);
          ToolSchema args = schema(entry.schema(), at + "/schema", problems);
          ToolSchema result = schema(entry.resultSchema(), at + "/result_schema", problems);
          try {
            tools.put(name, new Tool(entry, args, result, Digests.ofCanonical(identity(entry))));
            json.set(name, whole(entry));
          } catch (IllegalArgumentException e) {
            problems.add(new PolicyProblem(at + "/schema", "not I-JSON: " + e.getMessage()));
          }
        });
    if (!problems.isEmpty()) {
      throw new PolicyException("tools", problems);
    }
    return new ToolBook(tools, json);
  }

  private static @Nullable ToolSchema schema(
      @Nullable JsonNode json, String at, List<PolicyProblem> problems) {
    if (json == null) {
      return null;
    }
    try {
      return ToolSchema.compile(json);
    } catch (IllegalArgumentException e) {
      problems.add(new PolicyProblem(at, String.valueOf(e.getMessage())));
      return null;
    }
  }

  @Nullable Tool find(String name) {
    return tools.get(name);
  }

  /** All entries, for the floor's digest. */
  JsonNode json() {
    return json;
  }

  /** What makes it the tool that was witnessed (the design, rule 17). */
  private static ObjectNode identity(ToolEntry entry) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", entry.name());
    json.put("executor", entry.executor().wireName());
    json.put("url", entry.url());
    json.put("method", entry.method());
    json.set("schema", entry.schema());
    return json;
  }

  private static ObjectNode whole(ToolEntry entry) {
    ObjectNode json = identity(entry);
    json.put("capability", entry.capability());
    json.put("timeout_ms", entry.timeout().toMillis());
    json.put("idempotent", entry.idempotent());
    json.put("key_retention_ms", entry.keyRetention().toMillis());
    json.put("read_back_url", entry.readBackUrl());
    json.set("result_schema", entry.resultSchema());
    json.put("max_result_bytes", entry.maxResultBytes());
    DisclosureRule disclosure = entry.disclosure();
    if (!disclosure.equals(DisclosureRule.FULL)) {
      json.put("disclosure", disclosure.disclosure().wireName());
      ArrayNode redact = json.putArray("redact");
      disclosure.redact().forEach(redact::add);
    }
    return json;
  }
}
