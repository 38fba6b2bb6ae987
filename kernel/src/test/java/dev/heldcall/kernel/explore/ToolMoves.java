package dev.heldcall.kernel.explore;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.explore.Flight.Hand;
import dev.heldcall.kernel.explore.Flight.Report;
import java.nio.charset.StandardCharsets;

/** The executor, the network and the tool, and the executor's reports to the call. */
final class ToolMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  ToolMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    for (Flight each : at.flights) {
      switch (each.hand()) {
        case READY -> ready(at, fan, each);
        case WAITING -> waiting(at, fan, each);
        case ZOMBIE -> zombie(at, fan, each);
        case CLIENT, NOBODY -> {}
      }
      lands(at, fan, each);
      reports(at, fan, each);
    }
  }

  private static boolean windowOpen(Situation at, Flight flight) {
    return at.second < Situation.secondOf(flight.lease().grantedAt()) + 1;
  }

  private void ready(Situation at, Fan fan, Flight flight) {
    if (!windowOpen(at, flight)) {
      becomes(
          at,
          fan,
          "the window passed unsent",
          flight,
          flight.to(Hand.NOBODY, false, Report.NO_EFFECT));
      return;
    }
    answers(at, fan, flight);
    if (scenario.has(Feature.SILENCE)) {
      becomes(at, fan, "sent", flight, flight.to(Hand.WAITING, true, Report.NONE));
    }
    if (scenario.has(Feature.REFUSED_CONNECTION)) {
      becomes(
          at, fan, "connection refused", flight, flight.to(Hand.NOBODY, false, Report.NO_EFFECT));
    }
  }

  private void answers(Situation at, Fan fan, Flight flight) {
    fan.edge(
        "the tool does it and answers, " + flight.lease().token(),
        Fan.TOOL,
        () -> {
          Situation next = at.copy();
          incarnation.book().effect(next, flight.lease());
          next.flight(flight.lease().leaseId(), it -> it.to(Hand.NOBODY, false, Report.SUCCEEDED));
          return next;
        });
    if (scenario.has(Feature.FAILURE) && at.effects.isEmpty()) {
      becomes(
          at,
          fan,
          "the tool answers failure",
          flight,
          flight.to(Hand.NOBODY, false, Report.FAILED));
    }
  }

  private void waiting(Situation at, Fan fan, Flight flight) {
    boolean inTime = at.second < Situation.secondOf(flight.lease().deadline());
    if (inTime && flight.inFlight()) {
      answers(at, fan, flight);
    }
    becomes(
        at,
        fan,
        "the connection breaks",
        flight,
        flight.to(Hand.NOBODY, flight.inFlight(), Report.UNKNOWN));
  }

  private void zombie(Situation at, Fan fan, Flight flight) {
    if (windowOpen(at, flight)) {
      becomes(at, fan, "the dead process sends", flight, flight.to(Hand.NOBODY, true, Report.NONE));
    }
  }

  private static void becomes(Situation at, Fan fan, String name, Flight flight, Flight other) {
    fan.edge(
        name + ", " + flight.lease().token(),
        Fan.TOOL,
        () -> {
          Situation next = at.copy();
          next.flight(flight.lease().leaseId(), it -> other);
          return next;
        });
  }

  /** A request on its way has its effect, and nobody hears of it. */
  private void lands(Situation at, Fan fan, Flight flight) {
    boolean settled = at.second >= Situation.secondOf(flight.lease().settlesAt());
    if (flight.inFlight() && (!settled || !scenario.honest())) {
      fan.edge(
          "the effect comes, " + flight.lease().token(),
          Fan.FAULT,
          () -> {
            Situation next = at.copy();
            incarnation.book().effect(next, flight.lease());
            boolean answersLate = !scenario.honest() && flight.report() == Report.NONE;
            next.flight(
                flight.lease().leaseId(),
                it -> it.to(it.hand(), false, answersLate ? Report.SUCCEEDED : it.report()));
            return next;
          });
    }
  }

  private void reports(Situation at, Fan fan, Flight flight) {
    if (flight.report() == Report.NONE) {
      return;
    }
    String id = flight.lease().leaseId();
    HeldCallCommand command = new HeldCallCommand.ReportDispatch(id, report(flight.report()));
    Incarnation.Reaction heard =
        (next, answer) ->
            Violation.demand(
                flight.report() != Report.SUCCEEDED
                    || next.facts.outcome() != null
                    || next.facts.lateEffect(),
                "an effect was reported and is not on record");
    Situation told = at.copy();
    told.running = Situation.without(at.running, id);
    told.flight(id, it -> it.saying(Report.NONE));
    incarnation.hears(
        fan,
        "report " + flight.report() + " of " + flight.lease().token(),
        Fan.REPORT,
        told,
        command,
        heard);
    if (scenario.has(Feature.DOUBLED_REPORTS)) {
      Situation twice = at.copy();
      twice.running = told.running;
      incarnation.hears(
          fan,
          "report " + flight.report() + " of " + flight.lease().token() + ", not for the last time",
          Fan.FAULT,
          twice,
          command,
          heard);
    }
  }

  private DispatchReport report(Report report) {
    return switch (report) {
      case NONE -> throw new Violation("nothing to report");
      case NO_EFFECT -> new DispatchReport.NoEffect("not sent");
      case UNKNOWN -> new DispatchReport.Unknown("cut");
      case SUCCEEDED -> answer(true, content(scenario));
      case FAILED -> answer(false, CompiledPolicies.json("{'error': 'no'}"));
    };
  }

  /** What the tool answers; the one with a schema breaks it. */
  static JsonNode content(Scenario scenario) {
    return CompiledPolicies.json(
        scenario.tool().equals(CompiledPolicies.REPORT)
            ? "{'secret': 'swordfish-42'}"
            : "{'id': 7}");
  }

  static DispatchReport.Answered answer(boolean succeeded, JsonNode content) {
    byte[] bytes = CanonicalJson.text(content).getBytes(StandardCharsets.UTF_8);
    return new DispatchReport.Answered(
        succeeded, content, Digests.sha256(bytes), bytes.length, false, succeeded ? "200" : "400");
  }
}
