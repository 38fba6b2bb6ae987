package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallEnd;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.plugin.api.NestedOutcome;
import org.jspecify.annotations.Nullable;

/** What became of a provider's own governed call, as the provider is told. */
final class NestedCalls {

  private NestedCalls() {}

  /** Why it did not run, or null if it ran. */
  static @Nullable String refused(HeldCallFacts child) {
    if (!child.proposed()) {
      return "it was never proposed";
    }
    CallEnd end = child.end();
    return child.outcome() == null
        ? "it is " + child.lifecycle().wireName() + (end == null ? "" : ": " + end.reason())
        : null;
  }

  /** What it came to; it ran. */
  static NestedOutcome ran(HeldCallFacts child) {
    String heldId = child.requireSpec().heldId();
    CallOutcome outcome = child.outcome();
    if (outcome == null || child.admission() != Admission.ADMITTED) {
      return new NestedOutcome.Quarantined(heldId);
    }
    return new NestedOutcome.Ran(heldId, outcome.succeeded(), outcome.content());
  }
}
