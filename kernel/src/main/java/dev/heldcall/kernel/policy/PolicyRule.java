package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a document.
 *
 * @param id unique within its document
 * @param tools whom it is about, at least one
 * @param when its condition, or null for always
 * @param verdict what it says
 * @param contract there exactly with REQUIRE_WITNESS
 * @param message its own words, or null
 * @param disclosure what others than the proposer see where it matches, whatever its verdict
 */
record PolicyRule(
    String id,
    List<ToolPattern> tools,
    @Nullable Condition when,
    VerdictKind verdict,
    @Nullable Contract contract,
    @Nullable String message,
    DisclosureRule disclosure) {

  PolicyRule {
    tools = List.copyOf(tools);
  }

  /** Whether it names the tool itself, not by a pattern. */
  boolean names(String tool) {
    return tools.stream().anyMatch(pattern -> pattern.text().equals(tool));
  }

  /** What it says of this call, or null if it does not match; a failed condition is a DENY. */
  @Nullable RuleMatch match(String layer, String tool, Map<String, Object> variables) {
    if (tools.stream().noneMatch(pattern -> pattern.matches(tool))) {
      return null;
    }
    if (when == null) {
      return new RuleMatch(layer, id, verdict, contract, words(), disclosure);
    }
    return switch (when.evaluate(variables)) {
      case Condition.Holds() -> new RuleMatch(layer, id, verdict, contract, words(), disclosure);
      case Condition.DoesNotHold() -> null;
      case Condition.Failed(String why) ->
          new RuleMatch(
              layer,
              id,
              VerdictKind.DENY,
              null,
              "the condition could not be evaluated: " + why,
              disclosure);
    };
  }

  private String words() {
    if (message != null) {
      return message;
    }
    return switch (verdict) {
      case DENY -> "denied by rule '" + id + "'";
      case REQUIRE_WITNESS ->
          "rule '" + id + "' requires " + (contract == null ? "a witness" : contract.rule());
      case TRANSFORM -> "transformed by rule '" + id + "'";
      case ALLOW -> "allowed by rule '" + id + "'";
      case DEFER, INDETERMINATE -> "rule '" + id + "' leaves it to the next layer";
    };
  }
}
