package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one policy document and notes every problem with its pointer; what it returns is only
 * usable if it noted none.
 */
final class DocumentReader {

  private static final int MAX_RULES = 1_000;
  private static final int MAX_TOOLS = 1_000;
  private static final int MAX_ID = 128;
  private static final int MAX_MESSAGE = 1_024;
  private static final Set<String> DOCUMENT_FIELDS =
      Set.of("rules", "default", "projects", "users");
  private static final Set<String> RULE_FIELDS =
      Set.of("id", "tools", "when", "verdict", "contract", "message", "disclosure", "redact");

  private final Fields fields = new Fields();

  List<PolicyProblem> problems() {
    return fields.problems();
  }

  PolicyDocument read(JsonNode document) {
    if (!document.isObject()) {
      fields.problem("", "expected an object with rules");
      return new PolicyDocument(List.of(), VerdictKind.DENY, document);
    }
    fields.onlyKnown(document, "", DOCUMENT_FIELDS);
    refuseLayer(document, "projects", "project");
    refuseLayer(document, "users", "user");
    return new PolicyDocument(rules(document), defaultVerdict(document), document);
  }

  private void refuseLayer(JsonNode document, String field, String layer) {
    JsonNode value = document.path(field);
    if (value.isMissingNode() || (value.isObject() && value.isEmpty())) {
      return;
    }
    fields.problem("/" + field, "the " + layer + " layer is not in this release");
  }

  private List<PolicyRule> rules(JsonNode document) {
    JsonNode rules = document.path("rules");
    List<PolicyRule> read = new ArrayList<>();
    if (rules.isMissingNode()) {
      return read;
    }
    if (!rules.isArray() || rules.size() > MAX_RULES) {
      fields.problem("/rules", "expected an array of at most " + MAX_RULES + " rules");
      return read;
    }
    Map<String, String> ids = new HashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      String at = "/rules/" + i;
      JsonNode json = rules.path(i);
      if (!json.isObject()) {
        fields.problem(at, "expected a rule, an object");
        continue;
      }
      PolicyRule rule = rule(json, at);
      String other = ids.putIfAbsent(rule.id(), at);
      if (other != null && !rule.id().isEmpty()) {
        fields.problem(at + "/id", "the id '" + rule.id() + "' is also that of " + other);
      }
      read.add(rule);
    }
    return read;
  }

  private PolicyRule rule(JsonNode json, String at) {
    fields.onlyKnown(json, at, RULE_FIELDS);
    String id = fields.requiredText(json, at, "id", MAX_ID);
    List<ToolPattern> tools = tools(json, at);
    Condition when = condition(json, at);
    VerdictKind verdict = verdict(json, at);
    Contract contract = contract(json, at, verdict);
    String message = fields.text(json, at, "message", MAX_MESSAGE);
    DisclosureRule disclosure = new DisclosureReader(fields).read(json, at);
    return new PolicyRule(id, tools, when, verdict, contract, message, disclosure);
  }

  private List<ToolPattern> tools(JsonNode json, String at) {
    JsonNode tools = json.path("tools");
    List<ToolPattern> patterns = new ArrayList<>();
    if (!tools.isArray() || tools.isEmpty() || tools.size() > MAX_TOOLS) {
      fields.problem(
          at + "/tools", "expected an array of 1 to " + MAX_TOOLS + " tool names or prefixes");
      return patterns;
    }
    for (int i = 0; i < tools.size(); i++) {
      try {
        patterns.add(new ToolPattern(tools.path(i).isTextual() ? tools.path(i).textValue() : ""));
      } catch (IllegalArgumentException e) {
        fields.problem(at + "/tools/" + i, String.valueOf(e.getMessage()));
      }
    }
    return patterns;
  }

  private @Nullable Condition condition(JsonNode json, String at) {
    String text = fields.text(json, at, "when", Condition.MAX_LENGTH);
    if (text == null) {
      return null;
    }
    try {
      return Condition.compile(text);
    } catch (IllegalArgumentException e) {
      fields.problem(at + "/when", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private VerdictKind verdict(JsonNode json, String at) {
    String text = json.path("verdict").asText("");
    return switch (text) {
      case "ALLOW" -> VerdictKind.ALLOW;
      case "DENY" -> VerdictKind.DENY;
      case "REQUIRE_WITNESS" -> VerdictKind.REQUIRE_WITNESS;
      case "DEFER" -> VerdictKind.DEFER;
      case "TRANSFORM" -> {
        fields.problem(at + "/verdict", "TRANSFORM is not in this release");
        yield VerdictKind.DENY;
      }
      default -> {
        fields.problem(
            at + "/verdict",
            "expected one of ALLOW, DENY, REQUIRE_WITNESS, DEFER, found '" + text + "'");
        yield VerdictKind.DENY;
      }
    };
  }

  private @Nullable Contract contract(JsonNode json, String at, VerdictKind verdict) {
    JsonNode contract = json.path("contract");
    boolean wanted = verdict == VerdictKind.REQUIRE_WITNESS;
    if (contract.isMissingNode()) {
      if (wanted) {
        fields.problem(at + "/contract", "REQUIRE_WITNESS needs a contract with a rule");
      }
      return null;
    }
    if (!wanted) {
      if (json.path("verdict").asText("").equals(verdict.wireName())) {
        fields.problem(at + "/contract", "a contract belongs to REQUIRE_WITNESS only");
      }
      return null;
    }
    return new ContractReader(fields).read(contract, at + "/contract");
  }

  private VerdictKind defaultVerdict(JsonNode document) {
    JsonNode value = document.path("default");
    if (value.isMissingNode()) {
      return VerdictKind.DEFER;
    }
    return switch (value.asText("")) {
      case "ALLOW" -> VerdictKind.ALLOW;
      case "DENY" -> VerdictKind.DENY;
      case "DEFER" -> VerdictKind.DEFER;
      default -> {
        fields.problem(
            "/default",
            "expected one of ALLOW, DENY, DEFER, found '"
                + value.asText("")
                + "'; a demand for witnesses needs a rule with tools [\"*\"] and a contract");
        yield VerdictKind.DENY;
      }
    };
  }
}
