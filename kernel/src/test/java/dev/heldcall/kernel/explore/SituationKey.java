package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Resolution;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.AttestationDecision;

/**
 * A text that two situations share if nothing that can still happen tells them apart. Ids and
 * numbers of events go; instants become what is left until, or has passed since, as far as a
 * threshold is still ahead; evidence that lost its worth is only counted; and once a call is
 * concluded, what led there goes too.
 */
final class SituationKey {

  private final Scenario scenario;
  private final Situation at;
  private final HeldCallFacts facts;
  private final StringBuilder key = new StringBuilder(96);

  private SituationKey(Scenario scenario, Situation at) {
    this.scenario = scenario;
    this.at = at;
    this.facts = at.facts;
  }

  static String of(Scenario scenario, Situation at) {
    SituationKey key = new SituationKey(scenario, at);
    key.policy();
    key.memory();
    if (at.facts.proposed()) {
      key.facts();
      key.leases();
    }
    return key.key.toString();
  }

  private boolean matters() {
    return !facts.concluded();
  }

  private void policy() {
    add(at.epoch);
    add(at.knownEpoch);
    Ruling ruling = facts.ruling();
    add(ruling == null ? 0 : ruling.epoch());
    add(at.dependency.ordinal());
    flag(at.childDone);
    flag(at.announced);
    flag(at.edited);
  }

  private void memory() {
    Situation.HeldBack held = at.held;
    if (held != null) {
      key.append('{').append(held.name()).append(held.epoch()).append('}');
    }
    Situation.Asked asked = at.asked;
    if (asked != null) {
      key.append(asked.report().getClass().getSimpleName().charAt(0)).append(asked.leaseId().charAt(asked.leaseId().length() - 1));
      for (LeaseRecord each : facts.leases()) {
        flag(!asked.at().isBefore(each.lease().settlesAt()));
      }
    }
  }

  private void facts() {
    key.append('/');
    add(facts.lifecycle().ordinal());
    add(facts.requireGeneration().number());
    add(facts.admission().ordinal());
    add(facts.delivery().ordinal());
    flag(facts.lateEffect());
    flag(facts.outcome() != null && facts.outcome().succeeded());
    Resolution resolution = facts.resolution();
    add(resolution == null ? 0 : resolution.effect() ? 1 : 2);
    add(Math.min(facts.refusals(), scenario.refusals()) * (scenario.refusals() < 200 ? 1 : 0));
    if (matters()) {
      undecided();
      evidence();
    } else {
      flag(facts.cancelWish() != null);
      if (scenario.has(Feature.HOSTILE)) {
        evidence();
      }
    }
  }

  private void undecided() {
    Ruling ruling = facts.ruling();
    add(ruling == null ? 9 : ruling.verdict().ordinal());
    flag(facts.superseded());
    flag(facts.cancelWish() != null);
    facts.dependencies().values().forEach(each -> add(each.ordinal()));
    add(facts.children().size());
    add(facts.settledChildren().size());
    facts.openFallbacks().forEach(this::add);
    left(facts.expiresAt() == null ? -1 : Situation.secondOf(facts.expiresAt()));
    left(scenario.evidenceUntil());
    int later = Thresholds.fallback(at);
    if (later > at.second) {
      left(later);
    }
  }

  private void left(int second) {
    key.append(Math.max(0, second - at.second)).append(',');
  }

  private void evidence() {
    for (int voice = 0; voice < scenario.voices().size(); voice++) {
      key.append('v');
      for (Statement each : at.statements) {
        if (each.voice() == voice) {
          Evidence known = facts.evidence().get(each.attestation().attestationId());
          worth(known == null ? null : known);
        }
      }
    }
  }

  private void worth(@org.jspecify.annotations.Nullable Evidence known) {
    if (known == null) {
      key.append('!');
    } else if (known.state() == EvidenceState.VALID) {
      key.append(known.attestation().decision() == AttestationDecision.APPROVE ? 'a' : 'd');
    } else {
      key.append(scenario.has(Feature.HOSTILE) ? (char) ('0' + known.state().ordinal()) : 'x');
    }
  }

  private void leases() {
    for (LeaseRecord each : facts.leases()) {
      Flight flight = flight(each.lease().leaseId());
      key.append('L');
      add(each.lease().token().generation());
      add(each.state().ordinal());
      add(flight.hand().ordinal());
      add(flight.report().ordinal());
      flag(flight.inFlight());
      flag(at.running.contains(each.lease().leaseId()));
      flag(at.cannotTell.contains(each.lease().leaseId()));
      flag(at.effects.stream().anyMatch(it -> it.leaseId().equals(each.lease().leaseId())));
      key.append(each.lease().holder().id().charAt(0));
      if (timeMatters(each, flight)) {
        int since = at.second - Situation.secondOf(each.lease().grantedAt());
        add(Math.min(since, 40));
      }
    }
  }

  private boolean timeMatters(LeaseRecord record, Flight flight) {
    boolean moves =
        flight.inFlight()
            || flight.hand() == Flight.Hand.READY
            || flight.hand() == Flight.Hand.ZOMBIE
            || flight.hand() == Flight.Hand.WAITING;
    boolean open = facts.lifecycle() == Lifecycle.OPEN && facts.outcome() == null;
    return moves
        || (open
            && (record.state() == LeaseState.DISPATCHED
                || record.state() == LeaseState.UNKNOWN
                || record.equals(facts.lastLease())));
  }

  private Flight flight(String leaseId) {
    for (Flight each : at.flights) {
      if (each.lease().leaseId().equals(leaseId)) {
        return each;
      }
    }
    throw new Violation("the explorer lost the lease " + leaseId);
  }

  private void add(long number) {
    key.append(number).append('.');
  }

  private void flag(boolean set) {
    key.append(set ? '+' : '-');
  }
}
