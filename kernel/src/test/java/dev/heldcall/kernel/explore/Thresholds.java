package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import java.util.List;

/** The instants at which something can become otherwise; between them nothing does. */
final class Thresholds {

  private final Situation at;
  private final boolean idempotent;
  private int next = Integer.MAX_VALUE;

  private Thresholds(Scenario scenario, Situation at) {
    this.idempotent = scenario.idempotent();
    this.at = at;
  }

  /** The next second at which anything changes, or {@code Integer.MAX_VALUE}. */
  static int next(Scenario scenario, Situation at) {
    Thresholds thresholds = new Thresholds(scenario, at);
    if (at.facts.proposed()) {
      thresholds.call(scenario);
      for (Flight each : at.flights) {
        thresholds.flight(each);
      }
    }
    return thresholds.next;
  }

  private void at(int second) {
    if (second > at.second && second < next) {
      next = second;
    }
  }

  private void call(Scenario scenario) {
    HeldCallFacts facts = at.facts;
    if (facts.concluded()) {
      return;
    }
    if (facts.expiresAt() != null) {
      at(Situation.secondOf(facts.expiresAt()));
    }
    for (Evidence each : facts.evidence().values()) {
      if (each.state() == EvidenceState.VALID) {
        at(scenario.evidenceUntil());
      }
    }
    if (facts.undecided()) {
      at(fallback(at));
    }
  }

  /** When the fallback that is not open yet is due, or 0. */
  static int fallback(Situation at) {
    List<EvidenceView.FallbackDue> due = EvidenceView.fallbacksDue(at.facts);
    return due.isEmpty() ? 0 : Situation.secondOf(due.getFirst().at());
  }

  private void flight(Flight flight) {
    int granted = Situation.secondOf(flight.lease().grantedAt());
    if (flight.hand() == Flight.Hand.READY || flight.hand() == Flight.Hand.ZOMBIE) {
      at(granted + 1);
    }
    LeaseRecord record = at.facts.lease(flight.lease().leaseId());
    if (record == null || at.facts.concluded()) {
      return;
    }
    boolean last = record.equals(at.facts.lastLease());
    int earliest = granted + (flight.lease().token().attempt() == 1 ? 2 : 10);
    boolean again = at.facts.requireGeneration().number() == flight.lease().token().generation();
    switch (record.state()) {
      case DISPATCHED -> {
        at(Situation.secondOf(flight.lease().deadline()));
        at(Situation.secondOf(flight.lease().deadline()) + 1);
      }
      case UNKNOWN -> {
        at(Situation.secondOf(flight.lease().settlesAt()));
        if (idempotent) {
          at(earliest);
          at(Situation.secondOf(flight.lease().firstDispatchAt()) + 30);
        }
      }
      case NO_EFFECT -> {
        if (last && again) {
          at(earliest);
        }
      }
      case EFFECT -> {}
    }
    if (flight.inFlight()) {
      at(Situation.secondOf(flight.lease().settlesAt()));
    }
  }
}
