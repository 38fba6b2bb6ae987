package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.VerdictKind;
import org.jspecify.annotations.Nullable;

/** A rule that matched, with what it says of this call. */
record RuleMatch(
    String layer,
    String rule,
    VerdictKind verdict,
    @Nullable Contract contract,
    String message,
    DisclosureRule disclosure) {

  RuleMatch(
      String layer, String rule, VerdictKind verdict, @Nullable Contract contract, String message) {
    this(layer, rule, verdict, contract, message, DisclosureRule.FULL);
  }

  Reason reason() {
    return new Reason(layer, rule, message);
  }

  Trace trace() {
    return new Trace(layer, rule, verdict, message);
  }
}
