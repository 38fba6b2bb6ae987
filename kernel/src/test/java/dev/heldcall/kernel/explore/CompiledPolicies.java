package dev.heldcall.kernel.explore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Policies by their one rule, each compiled once. Mutants share them: this class and what it makes
 * are not loaded anew for each of them, for compiling costs more than exploring.
 */
public final class CompiledPolicies {

  /** Not read back and not repeated. */
  static final String BLIND = "blind";

  /** Read back. */
  static final String TRANSFER = "transfer";

  /** Repeated under the same key, for half a minute. */
  static final String CHARGE = "charge";

  /** Read back and repeated. */
  static final String POST = "post";

  /** Run by the client. */
  static final String DESK = "desk";

  /** Run by the client, and repeated. */
  static final String DESK_AGAIN = "desk_again";

  /** Its results have a schema. */
  static final String REPORT = "report";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, PolicyLayers> COMPILED = new ConcurrentHashMap<>();

  private CompiledPolicies() {}

  /** Reads JSON in which {@code '} stands for the quotation mark. */
  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** A floor with one rule; {@code moved} names a tool that stands at another address, or none. */
  public static PolicyLayers of(String rule, String moved) {
    return COMPILED.computeIfAbsent(rule + moved, key -> compile(rule, moved));
  }

  private static PolicyLayers compile(String rule, String moved) {
    try {
      return PolicyLayers.compile(
          json("{'rules': [" + rule + "], 'default': 'DEFER'}"),
          json("{'default': 'DEFER'}"),
          tools(moved));
    } catch (PolicyException e) {
      throw new IllegalArgumentException(rule, e);
    }
  }

  private static Map<String, ToolEntry> tools(String moved) {
    String back = "http://tool.example/{idempotency_key}";
    Map<String, ToolEntry> tools = new LinkedHashMap<>();
    for (ToolEntry each :
        List.of(
            tool(BLIND, moved, ExecutorKind.HTTP, false, null),
            tool(TRANSFER, moved, ExecutorKind.HTTP, false, back),
            tool(CHARGE, moved, ExecutorKind.HTTP, true, null),
            tool(POST, moved, ExecutorKind.HTTP, true, back),
            tool(DESK, moved, ExecutorKind.CLIENT, false, null),
            tool(DESK_AGAIN, moved, ExecutorKind.CLIENT, true, null),
            tool(REPORT, moved, ExecutorKind.HTTP, false, null))) {
      tools.put(each.name(), each);
    }
    return Map.copyOf(tools);
  }

  private static ToolEntry tool(
      String name,
      String moved,
      ExecutorKind executor,
      boolean idempotent,
      @Nullable String readBack) {
    String url = "http://tool.example/" + name + (name.equals(moved) ? "/elsewhere" : "");
    return new ToolEntry(
        name,
        executor,
        executor == ExecutorKind.HTTP ? url : null,
        "POST",
        "use",
        Duration.ofSeconds(5),
        idempotent,
        Duration.ofSeconds(30),
        readBack,
        json("{'type': 'object'}"),
        name.equals(REPORT) ? json("{'type': 'object', 'required': ['id']}") : null,
        64);
  }
}
