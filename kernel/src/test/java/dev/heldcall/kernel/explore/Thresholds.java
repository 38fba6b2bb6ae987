package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import java.util.List;

/** The instants at which something can become otherwise; between them nothing does. */
final class Thresholds {

  private final Situation at;
  private int next = Integer.MAX_VALUE;

  private Thresholds(Situation at) {
    this.at = at;
  }

  /** The next second at which anything changes, or {@code Integer.MAX_VALUE}. */
  static int next(Scenario scenario, Situation at) {
    Thresholds thresholds = new Thresholds(at);
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
    boolean open = record.state() == LeaseState.DISPATCHED || record.state() == LeaseState.UNKNOWN;
    if (open) {
      at(Situation.secondOf(flight.lease().deadline()));
      at(Situation.secondOf(flight.lease().deadline()) + 1);
      at(Situation.secondOf(flight.lease().settlesAt()));
    }
    if (record.equals(at.facts.lastLease())) {
      at(granted + 2);
      at(granted + 10);
    }
    if (record.state() == LeaseState.UNKNOWN) {
      at(Situation.secondOf(flight.lease().firstDispatchAt()) + 30);
    }
  }
}
