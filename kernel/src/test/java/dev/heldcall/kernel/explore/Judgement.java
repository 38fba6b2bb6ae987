package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.witness.Vote;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What must hold whenever a turn is done, by the explorer's own book. */
final class Judgement {

  private final Scenario scenario;
  private final OwnBook book;

  Judgement(Scenario scenario, OwnBook book) {
    this.scenario = scenario;
    this.book = book;
  }

  /** Whatever is asked of a call whose time has run out is asked of an expired call. */
  void expired(HeldCallFacts before, Situation next) {
    HeldCallFacts after = next.facts;
    Violation.demand(
        next.second < next.expiresAt || Objects.equals(before.generation(), after.generation()),
        "6 no effect after an end: edited after its time");
    Violation.demand(
        next.second < next.expiresAt
            || !(before.undecided() || after.undecided())
            || after.lifecycle() == Lifecycle.EXPIRED
            || (!before.undecided() && after.lifecycle() == Lifecycle.CANCELLED),
        "6 no effect after an end: its time ran out, and it has not expired");
  }

  /** What must hold whenever a turn is done. */
  void afterTurn(HeldCallFacts before, Situation next, List<HeldCallEvent> events) {
    HeldCallFacts after = next.facts;
    if (events.isEmpty()) {
      Violation.demand(before.equals(after), "facts changed without an event");
    }
    for (HeldCallEvent each : events) {
      Violation.demand(
          HeldCallReducer.reduce(after, each).equals(after),
          "4 append once: told twice, counted twice");
    }
    if (before.concluded()) {
      Violation.demand(
          told(before).equals(told(after)), "10 one result: the delivery's content changed");
      Violation.demand(
          events.stream().allMatch(Judgement::isTakenAfterTheEnd),
          "6 no effect after an end: more was taken in");
    }
    Violation.demand(after.refusals() <= scenario.refusals(), "more refusals than are recorded");
    Violation.demand(
        !before.lateEffect()
            || before.lifecycle() == after.lifecycle()
            || after.resolution() != null,
        "6 no effect after an end: an effect was reported, and the call ends as without one");
    if (after.proposed()) {
      world(next);
      if (after.undecided()) {
        evidence(next);
      }
    }
  }

  /** What may still be put on record when a call is concluded. */
  private static boolean isTakenAfterTheEnd(HeldCallEvent event) {
    return event instanceof HeldCallEvent.DeliveryAcknowledged
        // That a nested call was ended too is of no effect, and lets the ending of it rest.
        || event instanceof HeldCallEvent.ChildSettled
        || event instanceof HeldCallEvent.AttestationRefused
        || event instanceof HeldCallEvent.RevocationCameLate
        || event instanceof HeldCallEvent.LateEffectReported
        || event instanceof HeldCallEvent.CancelRequested
        || event instanceof HeldCallEvent.LeaseEndedWithoutEffect;
  }

  /** What the session is told. */
  static String told(HeldCallFacts facts) {
    return OutcomeJson.deliveryId(facts) + OutcomeJson.result(facts) + OutcomeJson.refusal(facts);
  }

  private void world(Situation at) {
    HeldCallFacts facts = at.facts;
    CallOutcome outcome = facts.outcome();
    if (outcome != null) {
      Violation.demand(
          !scenario.honest() || outcome.succeeded() == !at.effects.isEmpty(),
          "10 one result: the session is told what did not happen");
      Violation.demand(
          (facts.admission() == Admission.QUARANTINED)
              == (outcome.succeeded()
                  && outcome.source() != OutcomeSource.RESOLUTION
                  && scenario.tool().equals(CompiledPolicies.REPORT)),
          "11 quarantine holds");
    }
    if (!scenario.honest()) {
      return;
    }
    for (Flight each : at.flights) {
      LeaseRecord record = Objects.requireNonNull(facts.lease(each.lease().leaseId()));
      boolean over = record.state() == LeaseState.NO_EFFECT || facts.lifecycle() != Lifecycle.OPEN;
      Violation.demand(
          !over || !OwnBook.mayHaveEffect(at, each),
          "7 ambiguity is a state: called without effect, and an effect may come or has come");
    }
  }

  /** The votes that count are those of the book, and they amount to the same. */
  private void evidence(Situation at) {
    Policy under = at.heldUnder;
    Set<String> counted = new HashSet<>();
    for (Vote each : EvidenceView.votes(at.facts, at.now())) {
      counted.add(each.attestationId());
    }
    Set<String> owed = new HashSet<>();
    for (Statement each : book.counting(at, under)) {
      owed.add(each.attestation().attestationId());
    }
    Violation.demand(
        counted.equals(owed), "3 bound evidence: counted " + counted + ", not " + owed);
    if (under == null) {
      return;
    }
    char verdict = book.verdict(at, under);
    boolean same =
        switch (EvidenceView.readiness(at.facts, at.now())) {
          case SATISFIED -> verdict == 'T';
          case REFUTED -> verdict == 'F';
          case UNSATISFIED, STALE -> verdict == 'U';
        };
    Violation.demand(same, "1 witnessed effect: the rule is " + verdict);
    Demand demand = Objects.requireNonNull(under.demand());
    boolean due =
        demand.need() instanceof Need.OrLater later
            && at.second >= at.holdStarted + later.seconds();
    Violation.demand(
        at.facts.openFallbacks().isEmpty() != due,
        "a fallback is open before its time, or not at it");
    Violation.demand(
        verdict != 'F' || demand.holdsWhenRefuted(), "9 fail closed: refuted, and still open");
  }
}
