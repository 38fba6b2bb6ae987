package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.Vote;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The explorer's own judgement of the design's invariants, from what people said and what the world
 * did. Nothing of the product's judgement goes into it: facts are only what is judged.
 */
final class OwnBook {

  private final Scenario scenario;

  OwnBook(Scenario scenario) {
    this.scenario = scenario;
  }

  /** Keeps what rulings and edits mean for people. */
  void write(Situation next, List<HeldCallEvent> events) {
    for (HeldCallEvent event : events) {
      if (event instanceof HeldCallEvent.CallEdited) {
        next.heldUnder = null;
        next.holdStarted = -1;
        next.edited = true;
      } else if (event instanceof HeldCallEvent.AttestationAccepted accepted) {
        heard(next, accepted.attestation());
      } else if (event instanceof HeldCallEvent.CallRuled ruled) {
        ruled(next, scenario.policy(ruled.ruling().epoch()), ruled.ruling().verdict());
      }
    }
  }

  /** Evidence is given under what stands when it is taken in; ids name their voice. */
  private static void heard(Situation next, Attestation given) {
    Policy under = next.heldUnder;
    Violation.demand(
        under != null && given.attestationId().matches("a-\\d-\\d"),
        "3 bound evidence: what must count for nothing was accepted");
    next.statements =
        Situation.with(
            next.statements,
            new Statement(
                given,
                given.attestationId().charAt(2) - '0',
                given.decision() == AttestationDecision.APPROVE,
                given.generation(),
                Objects.requireNonNull(under).tag(),
                false));
  }

  private static void ruled(Situation next, Policy policy, VerdictKind verdict) {
    Demand demand = policy.demand();
    VerdictKind owed =
        policy.denies()
            ? VerdictKind.DENY
            : demand != null || next.heldUnder != null
                ? VerdictKind.REQUIRE_WITNESS
                : VerdictKind.ALLOW;
    Violation.demand(verdict == owed, "1 witnessed effect: ruled " + verdict + ", not " + owed);
    if (demand != null) {
      if (next.heldUnder == null) {
        next.holdStarted = next.second;
      }
      next.heldUnder = policy;
      next.expiresAt = Math.min(next.expiresAt, next.second + demand.expires());
    }
  }

  /** What the witnesses have said that counts under a policy. */
  List<Statement> counting(Situation at, @Nullable Policy under) {
    List<Statement> counting = new ArrayList<>();
    for (Statement each : at.statements) {
      if (under != null
          && !each.revoked()
          && each.tag().equals(under.tag())
          && each.generation() == at.facts.requireGeneration().number()
          && at.second < scenario.evidenceUntil()) {
        counting.add(each);
      }
    }
    return counting;
  }

  /** T, F or U: whether the rule is satisfied, refuted, or neither. */
  char verdict(Situation at, Policy under) {
    Demand demand = Objects.requireNonNull(under.demand());
    List<Need.Said> said = new ArrayList<>();
    boolean vetoed = false;
    for (Statement each : counting(at, under)) {
      Voice voice = scenario.voices().get(each.voice());
      said.add(new Need.Said(voice.who().id(), voice.witnessClass(), each.approves()));
      vetoed |= !each.approves() && demand.veto().contains(voice.witnessClass());
    }
    char value =
        demand.need().value(said, demand.distinct(), !at.facts.openFallbacks().isEmpty());
    return vetoed ? 'F' : value;
  }

  /** What a lease under an epoch must be witnessed by, or null if by nothing. */
  private @Nullable Policy required(Situation at, long epoch) {
    Policy policy = scenario.policy(epoch);
    return policy.demand() == null ? at.heldUnder : policy;
  }

  boolean maySend(Situation at, long epoch) {
    Policy required = required(at, epoch);
    boolean waits =
        scenario.has(Feature.RELATIVES)
            && (at.dependency != DependencyState.SATISFIED || (at.announced && !at.childDone));
    return !scenario.policy(epoch).denies()
        && at.facts.lifecycle() == Lifecycle.OPEN
        && !at.wishedToCancel
        && !waits
        && at.second < at.expiresAt
        && (required == null || verdict(at, required) == 'T');
  }

  /** A lease was written. */
  void leased(Situation at, Lease lease, boolean fresh) {
    Violation.demand(fresh, "1 witnessed effect: a lease rests on a policy in memory");
    Violation.demand(maySend(at, lease.epoch()), "1 witnessed effect: a lease nobody released");
    Violation.demand(
        lease.token().generation() == at.facts.requireGeneration().number()
            && lease.callDigest().equals(at.facts.requireGeneration().callDigest()),
        "1 witnessed effect: a lease for another generation");
    for (Flight each : at.flights) {
      Violation.demand(
          each.lease().token().compareTo(lease.token()) < 0,
          "2 at most once: the fencing token does not grow");
      boolean sameKey = each.lease().idempotencyKey().equals(lease.idempotencyKey());
      Violation.demand(
          !scenario.honest() || (scenario.idempotent() && sameKey) || !mayHaveEffect(at, each),
          "2 at most once: a lease while an older one may have an effect");
      if (sameKey) {
        again(at, each);
      }
    }
  }

  /** A further lease of a generation: after a pause; after ambiguity as the design says (rule 3). */
  private void again(Situation at, Flight earlier) {
    int since = at.second - Situation.secondOf(earlier.lease().grantedAt());
    Violation.demand(since >= 2, "2 at most once: dispatched again at once");
    LeaseRecord record = Objects.requireNonNull(at.facts.lease(earlier.lease().leaseId()));
    if (record.state() == LeaseState.UNKNOWN) {
      Violation.demand(
          at.second < Situation.secondOf(earlier.lease().firstDispatchAt()) + 30,
          "7 ambiguity is a state: dispatched again when the tool no longer knows the key");
      Violation.demand(
          !scenario.tool().equals(CompiledPolicies.POST) || !at.cannotTell.isEmpty(),
          "7 ambiguity is a state: dispatched again before it was read back");
    }
  }

  /** Whether an effect of the flight is there or may still come. */
  static boolean mayHaveEffect(Situation at, Flight flight) {
    boolean window = at.second < Situation.secondOf(flight.lease().grantedAt()) + 1;
    return switch (flight.hand()) {
      case READY, ZOMBIE -> window;
      case WAITING, NOBODY -> false;
      case CLIENT -> at.second < Situation.secondOf(flight.lease().deadline());
    } || flight.inFlight() || at.effects.stream().anyMatch(it -> it.leaseId().equals(flight.lease().leaseId()));
  }

  /** The world has had an effect; a tool that honours keys has one a key. */
  void effect(Situation at, Lease lease) {
    if (scenario.idempotent() && at.happened(lease.idempotencyKey())) {
      return;
    }
    Violation.demand(at.facts.lease(lease.leaseId()) != null, "an effect without a lease");
    at.effects =
        Situation.with(at.effects, new Situation.Effect(lease.leaseId(), lease.idempotencyKey()));
    if (scenario.honest()) {
      Violation.demand(at.effects.size() == 1, "2 at most once: the tool had two effects");
      Violation.demand(
          at.facts.lifecycle() == Lifecycle.OPEN, "6 no effect after an end: there was one");
    }
  }

  /** Ready, everything read anew, and yet nothing: nobody would move this call again. */
  void notIdle(Situation at) {
    boolean waits =
        at.facts.proposed()
            && at.facts.lifecycle() == Lifecycle.OPEN
            && at.facts.leases().isEmpty()
            && !scenario.client()
            && maySend(at, at.epoch);
    Violation.demand(!waits, "ready, and not leased");
    Ruling ruling = at.facts.ruling();
    Violation.demand(
        !at.facts.undecided() || ruling == null || ruling.epoch() == at.epoch,
        "policy has moved on, was read, and the call is not ruled again");
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
          HeldCallReducer.reduce(after, each).equals(after), "4 append once: told twice, counted twice");
    }
    if (before.concluded()) {
      Violation.demand(
          told(before).equals(told(after)), "10 one result: the delivery's content changed");
      Violation.demand(
          events.stream().allMatch(OwnBook::isTakenAfterTheEnd),
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
          !over || !mayHaveEffect(at, each),
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
    for (Statement each : counting(at, under)) {
      owed.add(each.attestation().attestationId());
    }
    Violation.demand(
        counted.equals(owed), "3 bound evidence: counted " + counted + ", not " + owed);
    if (under == null) {
      return;
    }
    char verdict = verdict(at, under);
    boolean same =
        switch (EvidenceView.readiness(at.facts, at.now())) {
          case SATISFIED -> verdict == 'T';
          case REFUTED -> verdict == 'F';
          case UNSATISFIED, STALE -> verdict == 'U';
        };
    Violation.demand(same, "1 witnessed effect: the rule is " + verdict);
    Demand demand = Objects.requireNonNull(under.demand());
    boolean due = demand.need() instanceof Need.OrLater later
        && at.second >= at.holdStarted + later.seconds();
    Violation.demand(
        at.facts.openFallbacks().isEmpty() != due, "a fallback is open before its time, or not at it");
    Violation.demand(
        verdict != 'F' || demand.holdsWhenRefuted(), "9 fail closed: refuted, and still open");
  }
}
