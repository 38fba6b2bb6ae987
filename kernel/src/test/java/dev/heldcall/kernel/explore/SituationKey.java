package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Resolution;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.explore.Flight.Hand;
import dev.heldcall.plugin.api.AttestationDecision;
import org.jspecify.annotations.Nullable;

/**
 * A text that two situations share if nothing that can still happen tells them apart. Ids and
 * numbers of events go; instants become what is left until, or has passed since, as far as a
 * threshold is still ahead; evidence that lost its worth is only counted; and once a call is
 * concluded, what led there goes too.
 */
@SuppressWarnings("EnumOrdinal") // a key within one run, never written down
final class SituationKey {

  /** All leases of two generations are over before so many seconds, so the order is plain. */
  private static final int FAR = 200;

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
    key.memory();
    if (!at.facts.concluded()) {
      key.policy();
    }
    if (at.facts.proposed()) {
      key.conclusion();
      if (!at.facts.concluded()) {
        key.undecided();
      }
      if (!at.facts.concluded() || scenario.has(Feature.HOSTILE)) {
        key.evidence();
      }
      key.leases();
    }
    return key.key.toString();
  }

  private void policy() {
    add(at.epoch);
    add(at.knownEpoch);
    Ruling ruling = facts.ruling();
    add(ruling == null ? 0 : ruling.epoch());
    flag(at.edited);
    if (scenario.has(Feature.RELATIVES)) {
      add(at.dependency);
      flag(at.childDone);
      add(at.upstream);
      flag(at.announced);
      facts.dependencies().values().forEach(this::add);
      add(facts.children().size());
      add(facts.settledChildren().size());
    }
  }

  private void memory() {
    Situation.HeldBack held = at.held;
    if (held != null) {
      key.append('{').append(held.name()).append(held.epoch()).append('}');
    }
    asked(at.asked);
    asked(at.askedBefore);
  }

  private void asked(Situation.@Nullable Asked asked) {
    key.append('?');
    if (asked != null) {
      key.append(asked.report().getClass().getSimpleName().charAt(0));
      key.append(asked.leaseId().charAt(asked.leaseId().length() - 1));
      for (LeaseRecord each : facts.leases()) {
        flag(!asked.at().isBefore(each.lease().settlesAt()));
      }
    }
  }

  private void conclusion() {
    key.append('/');
    add(facts.lifecycle());
    add(facts.requireGeneration().number());
    add(facts.admission());
    add(facts.delivery());
    flag(facts.lateEffect());
    flag(facts.outcome() != null && facts.outcome().succeeded());
    flag(facts.cancelWish() != null);
    Resolution resolution = facts.resolution();
    add(resolution == null ? 0 : resolution.effect() ? 1 : 2);
    if (scenario.refusals() < FAR) {
      add(Math.min(facts.refusals(), scenario.refusals()));
    }
  }

  private void undecided() {
    Ruling ruling = facts.ruling();
    key.append(ruling == null ? "unruled" : ruling.verdict().name());
    flag(facts.superseded());
    facts.openFallbacks().forEach(this::add);
    left(facts.expiresAt() == null ? 0 : Situation.secondOf(facts.expiresAt()));
    left(scenario.evidenceUntil());
    left(Thresholds.fallback(at));
  }

  private void left(int second) {
    int left = Math.max(0, second - at.second);
    key.append(left > FAR ? "F" : left).append(',');
  }

  private void evidence() {
    int generation = facts.requireGeneration().number();
    for (int voice = 0; voice < scenario.voices().size(); voice++) {
      key.append('v');
      for (Statement each : at.statements) {
        if (each.voice() == voice
            && (each.generation() == generation || scenario.has(Feature.HOSTILE))) {
          worth(facts.evidence().get(each.attestation().attestationId()));
        }
      }
    }
  }

  private void worth(@Nullable Evidence known) {
    if (known == null) {
      key.append('!');
    } else if (known.state() == EvidenceState.VALID) {
      key.append(known.attestation().decision() == AttestationDecision.APPROVE ? 'a' : 'd');
    } else {
      key.append(scenario.has(Feature.HOSTILE) ? known.state().name() : "x");
    }
  }

  private void leases() {
    for (LeaseRecord each : facts.leases()) {
      Flight flight = flight(each.lease().leaseId());
      boolean over =
          facts.concluded()
              && flight.report() == Flight.Report.NONE
              && !flight.inFlight()
              && (flight.hand() == Hand.NOBODY);
      if (over && !scenario.has(Feature.HOSTILE)) {
        continue;
      }
      key.append('L');
      add(each.lease().token().generation());
      add(each.state());
      add(flight.hand());
      add(flight.report());
      flag(flight.inFlight());
      flag(at.effects.stream().anyMatch(it -> it.leaseId().equals(each.lease().leaseId())));
      if (each.state() == LeaseState.DISPATCHED) {
        flag(at.running.contains(each.lease().leaseId()));
      } else if (each.state() == LeaseState.UNKNOWN) {
        flag(at.cannotTell.contains(each.lease().leaseId()));
        left(Situation.secondOf(each.lease().firstDispatchAt()) + 30);
      }
      if (scenario.client()) {
        key.append(each.lease().holder().id().charAt(0));
      }
      add(Math.min(at.second - Situation.secondOf(each.lease().grantedAt()), ahead(each, flight)));
    }
  }

  /** For how long after its grant a lease's time can still matter, in seconds. */
  private int ahead(LeaseRecord record, Flight flight) {
    boolean mayRepeat = record.equals(facts.lastLease()) && !facts.concluded();
    int repeat = !mayRepeat ? 0 : record.lease().token().attempt() == 1 ? 2 : 10;
    boolean settles =
        flight.inFlight()
            || flight.hand() == Hand.WAITING
            || (!facts.concluded()
                && (record.state() == LeaseState.DISPATCHED
                    || record.state() == LeaseState.UNKNOWN));
    boolean window = flight.hand() == Hand.READY || flight.hand() == Hand.ZOMBIE;
    return settles ? 15 : Math.max(repeat, window ? 1 : 0);
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

  private void add(Enum<?> one) {
    key.append(one.name()).append('.');
  }

  private void flag(boolean set) {
    key.append(set ? '+' : '-');
  }
}
