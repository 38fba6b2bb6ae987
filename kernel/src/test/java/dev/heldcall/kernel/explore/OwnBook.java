package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    char value = demand.need().value(said, demand.distinct(), !at.facts.openFallbacks().isEmpty());
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

  /**
   * A further lease of a generation: after a pause; after ambiguity as the design says (rule 3).
   */
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
        }
        || flight.inFlight()
        || at.effects.stream().anyMatch(it -> it.leaseId().equals(flight.lease().leaseId()));
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
}
