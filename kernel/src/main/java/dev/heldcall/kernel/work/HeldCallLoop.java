package dev.heldcall.kernel.work;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Decision;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallDecider;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes a command to its fixed point: the command's own events, then whatever the reconciler finds
 * the kernel enabled to decide, until it finds nothing new. All of it is one journal write.
 */
public final class HeldCallLoop {

  /** Own decisions in one turn; a call that needs more is not executed. */
  public static final int BOUND = 256;

  private HeldCallLoop() {}

  /**
   * Runs one turn. A refusal waits for nothing: whatever else wants a fresh policy then wanted it
   * before, and a command that waited for it would be judged by a later time than it was given at.
   */
  public static LoopResult run(HeldCallFacts before, HeldCallCommand command, CallContext context) {
    Decision first = HeldCallDecider.decide(before, command, context);
    if (first.answer() instanceof Answer.FreshPolicyNeeded) {
      return new LoopResult(
          List.of(), before, first.answer(), HeldCallReconciler.plan(before, context), true, false);
    }
    List<HeldCallEvent> events = new ArrayList<>(first.events());
    HeldCallFacts facts = first.facts();
    CallContext knowing = withNewLeases(context, first.events());
    Set<String> tried = new HashSet<>();
    boolean wantsFresh = false;
    for (int turn = 0; turn < BOUND; turn++) {
      WorkPlan plan = HeldCallReconciler.plan(facts, knowing);
      EnabledWork.Decide next = firstNotIn(tried, plan);
      if (next == null) {
        boolean waits = wantsFresh && !(first.answer() instanceof Answer.Refused);
        return new LoopResult(events, facts, first.answer(), plan, waits, false);
      }
      Decision own = HeldCallDecider.decide(facts, next.command(), knowing);
      wantsFresh = wantsFresh || own.answer() instanceof Answer.FreshPolicyNeeded;
      if (own.events().isEmpty()) {
        tried.add(next.key());
      }
      events.addAll(own.events());
      facts = own.facts();
      knowing = withNewLeases(knowing, own.events());
    }
    return new LoopResult(
        first.events(),
        first.facts(),
        first.answer(),
        HeldCallReconciler.plan(first.facts(), withNewLeases(context, first.events())),
        false,
        true);
  }

  private static EnabledWork.@org.jspecify.annotations.Nullable Decide firstNotIn(
      Set<String> tried, WorkPlan plan) {
    for (EnabledWork.Decide each : plan.decisions()) {
      if (!tried.contains(each.key())) {
        return each;
      }
    }
    return null;
  }

  /** A lease that this turn grants is run by this incarnation once it is in the journal. */
  private static CallContext withNewLeases(CallContext context, List<HeldCallEvent> events) {
    Set<String> running = null;
    for (HeldCallEvent event : events) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        running = running == null ? new HashSet<>(context.running()) : running;
        running.add(granted.lease().leaseId());
      }
    }
    return running == null
        ? context
        : new CallContext(
            context.now(),
            context.policy(),
            context.terms(),
            running,
            context.cannotTell(),
            context.refusalBound());
  }
}
