package dev.heldcall.kernel.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The design's invariants, as far as facts and events can show them, as named checks. Each message
 * begins with the invariant's number and name. They are cheap: the events of one decision are
 * walked once, so that they can run in production after every decision, before it is persisted; a
 * decision that breaks one is not to be persisted.
 *
 * <p>Not to be seen here, and guarded elsewhere: 8 (narrowing) is the policy fold's, 12 (said is
 * written) the entity's, 13 (waiting is acyclic) the session's.
 */
public final class Invariants {

  private Invariants() {}

  /**
   * Checks one decision.
   *
   * @param before the facts that it was decided on
   * @param events what it was decided to write, in order
   * @param after the facts that are claimed to follow
   * @param context what the decision knew beside the facts
   * @return what is broken, or nothing
   */
  public static List<String> violations(
      HeldCallFacts before,
      List<? extends HeldCallEvent> events,
      HeldCallFacts after,
      CallContext context) {
    List<String> found = new ArrayList<>();
    HeldCallFacts facts = before;
    for (HeldCallEvent event : events) {
      HeldCallFacts next = HeldCallReducer.reduce(facts, event);
      Step step = new Step(facts, event, next, context, found);
      appendOnce(step);
      time(step);
      neverUndone(step);
      EvidenceInvariants.check(step);
      EffectInvariants.check(step);
      EndInvariants.check(step);
      facts = next;
    }
    if (!facts.equals(after)) {
      found.add(Invariant.APPEND_ONCE.text() + ": the facts are not what the events reduce to");
    }
    EndInvariants.checkSettled(after, found);
    return found;
  }

  private static void appendOnce(Step step) {
    HeldCallFacts after = step.after();
    step.demand(
        EventIds.number(step.event().meta().eventId()) == step.before().events() + 1,
        Invariant.APPEND_ONCE,
        "the event id does not follow the last one");
    step.demand(
        HeldCallReducer.reduce(after, step.event()).equals(after),
        Invariant.APPEND_ONCE,
        "the event told twice changes the facts");
  }

  private static void time(Step step) {
    step.demand(
        !step.event().meta().at().isBefore(step.before().lastEventAt()),
        Invariant.TIME,
        "the event is earlier than the one before it");
    if (step.before().expiresAt() != null) {
      step.demand(
          step.after().expiresAt() != null
              && !step.after().expiresAt().isAfter(step.before().expiresAt()),
          Invariant.TIME,
          "expires_at was extended");
    }
  }

  private static void neverUndone(Step step) {
    HeldCallFacts before = step.before();
    HeldCallFacts after = step.after();
    if (before.proposed()) {
      step.demand(
          Objects.equals(before.spec(), after.spec()),
          Invariant.NEVER_UNDONE,
          "what never changes was changed");
      int grown = after.requireGeneration().number() - before.requireGeneration().number();
      step.demand(
          grown == 0 ? after.requireGeneration().equals(before.requireGeneration()) : grown == 1,
          Invariant.NEVER_UNDONE,
          "the generation did not stay or grow by one");
    }
    step.demand(
        before.lifecycle() == Lifecycle.OPEN
            || (after.lifecycle() == before.lifecycle()
                && Objects.equals(after.end(), before.end())),
        Invariant.NEVER_UNDONE,
        "an end was changed");
    step.demand(
        after.evidence().keySet().containsAll(before.evidence().keySet()),
        Invariant.NEVER_UNDONE,
        "evidence was lost");
    step.demand(
        after.leases().size() >= before.leases().size(),
        Invariant.NEVER_UNDONE,
        "a lease was lost");
    step.demand(
        before.cancelWish() == null || before.cancelWish().equals(after.cancelWish()),
        Invariant.NEVER_UNDONE,
        "a wish to cancel was lost");
    step.demand(
        after.delivery().compareTo(before.delivery()) >= 0,
        Invariant.NEVER_UNDONE,
        "a delivery was undone");
  }

  /** One event's step, and where its faults are collected. */
  record Step(
      HeldCallFacts before,
      HeldCallEvent event,
      HeldCallFacts after,
      CallContext context,
      List<String> found) {

    void demand(boolean holds, Invariant invariant, String what) {
      if (!holds) {
        found.add(
            invariant.text()
                + ": "
                + what
                + " ("
                + event.getClass().getSimpleName()
                + " "
                + event.meta().eventId()
                + ")");
      }
    }
  }
}
