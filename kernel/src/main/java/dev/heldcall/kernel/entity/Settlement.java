package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.entity.HeldCallProtocol.Watched;

/** How a call stands for those who wait for it (rule 20). */
final class Settlement {

  private Settlement() {}

  /** What is told to a watcher. */
  static Watched of(String heldId, HeldCallFacts facts, boolean child) {
    if (!facts.proposed()) {
      return new Watched(heldId, child, true, DependencyState.PENDING, "never proposed", null);
    }
    Upstream upstream = Upstream.of(facts);
    if (facts.lifecycle() != Lifecycle.OPEN) {
      DependencyState state = child ? DependencyState.SATISFIED : DependencyState.REFUSED;
      return new Watched(heldId, child, false, state, facts.lifecycle().wireName(), upstream);
    }
    CallOutcome outcome = facts.outcome();
    if (outcome == null || facts.admission() == Admission.PENDING) {
      return new Watched(heldId, child, false, DependencyState.PENDING, "not concluded", upstream);
    }
    if (child) {
      return new Watched(heldId, true, false, DependencyState.SATISFIED, "concluded", upstream);
    }
    if (facts.admission() == Admission.QUARANTINED) {
      return new Watched(heldId, false, false, DependencyState.PENDING, "quarantined", upstream);
    }
    return outcome.succeeded()
        ? new Watched(heldId, false, false, DependencyState.SATISFIED, "succeeded", upstream)
        : new Watched(heldId, false, false, DependencyState.REFUSED, "failed", upstream);
  }
}
