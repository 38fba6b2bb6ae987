package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallCommand.AnnounceChild;
import dev.heldcall.kernel.call.HeldCallCommand.EndWithParent;
import dev.heldcall.kernel.call.HeldCallCommand.ReportDependency;
import java.util.Map;

/** Decides on what calls mean for each other: those they depend on, and those nested in them. */
final class WaitingDecider {

  private WaitingDecider() {}

  static Decision refuseDependent(Draft draft) {
    HeldCallFacts facts = draft.facts();
    if (facts.undecided()) {
      for (Map.Entry<String, DependencyState> each : facts.dependencies().entrySet()) {
        if (each.getValue() == DependencyState.REFUSED) {
          draft.addByKernel(
              meta ->
                  new HeldCallEvent.CallDenied(
                      meta, "dependency", "the call " + each.getKey() + " did not succeed"));
          break;
        }
      }
    }
    return draft.stands();
  }

  static Decision reportDependency(Draft draft, ReportDependency command) {
    return command.child() ? childReport(draft, command) : upstreamReport(draft, command);
  }

  /** A child settles for a parent that waits, and for one that has ended and had it cancelled. */
  private static Decision childReport(Draft draft, ReportDependency command) {
    HeldCallFacts facts = draft.facts();
    boolean matters = facts.undecided() || facts.lifecycle() != Lifecycle.OPEN;
    if (command.state() != DependencyState.PENDING
        && matters
        && facts.children().containsKey(command.heldId())
        && !facts.settledChildren().contains(command.heldId())) {
      draft.addByKernel(
          meta -> new HeldCallEvent.ChildSettled(meta, command.heldId(), command.detail()));
    }
    return draft.stands();
  }

  private static Decision upstreamReport(Draft draft, ReportDependency command) {
    HeldCallFacts facts = draft.facts();
    if (!facts.undecided() || !facts.dependencies().containsKey(command.heldId())) {
      return draft.stands();
    }
    Upstream seen = facts.upstream().get(command.heldId());
    Upstream now = command.upstream();
    if (now != null && (seen == null || seen.tellsLessThan(now))) {
      draft.addByKernel(meta -> new HeldCallEvent.UpstreamSeen(meta, command.heldId(), now));
    }
    if (command.state() != DependencyState.PENDING
        && facts.dependencies().get(command.heldId()) == DependencyState.PENDING) {
      draft.addByKernel(
          meta ->
              new HeldCallEvent.DependencySettled(
                  meta, command.heldId(), command.state(), command.detail()));
    }
    return draft.stands();
  }

  static Decision announceChild(Draft draft, AnnounceChild command) {
    HeldCallFacts facts = draft.facts();
    if (!facts.proposed()) {
      return draft.refuse(Problem.UNKNOWN_DEPENDENCY, "parent_held_id names no call");
    }
    if (facts.children().containsKey(command.childHeldId())) {
      return draft.stands();
    }
    if (!facts.undecided()) {
      // Nobody would wait for it, and nobody would end it.
      return draft.refuse(
          Problem.UNKNOWN_DEPENDENCY, "parent_held_id names a call that is decided already");
    }
    draft.addByKernel(meta -> new HeldCallEvent.ChildAnnounced(meta, command.childHeldId()));
    return draft.stands();
  }

  /** Nothing that was not dispatched outlives the call it serves. */
  static Decision endWithParent(Draft draft, EndWithParent command) {
    HeldCallFacts facts = draft.facts();
    if (!facts.proposed()
        || !command.parentHeldId().equals(facts.requireSpec().parentHeldId())
        || facts.lifecycle() != Lifecycle.OPEN) {
      return draft.stands();
    }
    String why = "the call that it serves is " + command.how();
    if (!facts.dispatched()) {
      draft.addByKernel(meta -> new HeldCallEvent.CallCancelled(meta, "parent", why));
    } else if (facts.cancelWish() == null && facts.outcome() == null) {
      draft.addByKernel(meta -> new HeldCallEvent.CancelRequested(meta, "parent", why));
    }
    return draft.stands();
  }
}
