package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.explore.Flight.Hand;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Principal;
import org.jspecify.annotations.Nullable;

/** Workers who take leases and report what they did, each under its own lease, at any time. */
final class ClientMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  ClientMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    if (!scenario.client() || !at.facts.proposed()) {
      return;
    }
    if (!at.facts.concluded()) {
      take(at, fan, Cast.WORKER, "k");
      take(at, fan, Cast.AGENT, null);
    }
    for (Flight each : at.flights) {
      if (each.hand() == Hand.CLIENT) {
        works(at, fan, each);
      }
    }
  }

  private void take(Situation at, Fan fan, Principal by, @Nullable String key) {
    incarnation.hears(
        fan,
        by.id() + " takes the lease",
        Fan.FAULT,
        at,
        new HeldCallCommand.TakeLease(by, at.facts.requireGeneration().number(), by.id(), key),
        (next, answer) -> {
          Lease first = first(at, key);
          Violation.demand(
              first == null
                  || (answer instanceof Answer.Leased leased && leased.lease().equals(first)),
              "the same request for a lease got another answer");
        });
  }

  /** The lease that was taken with the key, of the generation that stands. */
  private static @Nullable Lease first(Situation at, @Nullable String key) {
    int generation = at.facts.requireGeneration().number();
    for (Flight each : at.flights) {
      Lease lease = each.lease();
      if (key != null
          && key.equals(lease.requestKey())
          && lease.token().generation() == generation) {
        return lease;
      }
    }
    return null;
  }

  private void works(Situation at, Fan fan, Flight flight) {
    boolean done = at.happened(flight.lease().idempotencyKey());
    if (!done && at.second < Situation.secondOf(flight.lease().deadline())) {
      fan.edge(
          flight.lease().holder().id() + " does it",
          Fan.FAULT,
          () -> {
            Situation next = at.copy();
            incarnation.book().effect(next, flight.lease());
            return next;
          });
    }
    if (scenario.has(Feature.SLOW_TOOL) && !done) {
      fan.edge(
          flight.lease().holder().id() + " does it after its time",
          Fan.FAULT,
          () -> {
            Situation next = at.copy();
            incarnation.book().effect(next, flight.lease());
            return next;
          });
    }
    if (done || scenario.has(Feature.FAILURE)) {
      report(at, fan, flight, done);
    }
  }

  private void report(Situation at, Fan fan, Flight flight, boolean done) {
    Principal holder = flight.lease().holder().equals(Cast.WORKER.ref()) ? Cast.WORKER : Cast.AGENT;
    Situation told = at.copy();
    if (!done) {
      told.flight(flight.lease().leaseId(), it -> it.to(Hand.NOBODY, false, Flight.Report.NONE));
    }
    incarnation.hears(
        fan,
        holder.id() + " reports " + (done ? "success" : "failure"),
        Fan.FAULT,
        told,
        new HeldCallCommand.ReportOutcome(
            holder,
            flight.lease().leaseId(),
            done,
            CompiledPolicies.json(done ? "{'id': 7}" : "{'error': 'no'}")),
        Incarnation.Reaction.NONE);
  }
}
