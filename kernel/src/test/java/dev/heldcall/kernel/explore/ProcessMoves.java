package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.explore.Flight.Hand;
import dev.heldcall.kernel.explore.Flight.Report;
import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Time, policy, the process that the call lives in, and the calls around it. */
final class ProcessMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  ProcessMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    incarnation.resumes(fan, at);
    policy(at, fan);
    if (at.facts.proposed()) {
      tick(at, fan);
      time(at, fan);
      crash(at, fan);
      relatives(at, fan);
    }
  }

  private void policy(Situation at, Fan fan) {
    if (scenario.second() != null && at.epoch == 1) {
      fan.edge(
          "policy changes",
          Fan.FAULT,
          () -> {
            Situation next = at.copy();
            next.epoch = 2;
            return next;
          });
    }
    if (at.knownEpoch < at.epoch) {
      fan.edge(
          "the node hears of the new policy",
          Fan.TICK + 1,
          () -> {
            Situation next = at.copy();
            next.knownEpoch = at.epoch;
            return next;
          });
    }
  }

  private void tick(Situation at, Fan fan) {
    HeldCallFacts facts = at.facts;
    Ruling ruling = facts.ruling();
    HeldCallCommand tick = new HeldCallCommand.Tick();
    if (ruling != null && facts.undecided() && at.knownEpoch > ruling.epoch()) {
      incarnation.readsPolicy(fan, "tick", Fan.TICK, at, tick, Incarnation.Reaction.NONE);
      return;
    }
    incarnation.hears(fan, "tick", Fan.TICK, at, tick, (next, answer) -> woken(facts, next));
  }

  /** A parked call is woken by its due time alone: whatever a tick changes must have been due. */
  private void woken(HeldCallFacts before, Situation next) {
    Instant due = Enabling.nextDue(before);
    Ruling ruling = before.ruling();
    boolean policyMoved = ruling != null && ruling.epoch() < next.knownEpoch;
    Violation.demand(
        before.equals(next.facts) || policyMoved || (due != null && !due.isAfter(next.now())),
        "a parked call would have slept past what it had to do");
  }

  private void time(Situation at, Fan fan) {
    int then = Thresholds.next(scenario, at);
    if (then != Integer.MAX_VALUE) {
      fan.edge(
          "time passes to " + then,
          Fan.TIME,
          () -> {
            Situation next = at.copy();
            next.second = then;
            next.flights = next.flights.stream().map(each -> settled(next, each)).toList();
            return next;
          });
    }
  }

  /** What cannot happen any more: an honest tool's late effect, a dead process's late sending. */
  private Flight settled(Situation next, Flight flight) {
    boolean settled = next.second >= Situation.secondOf(flight.lease().settlesAt());
    boolean closed = next.second >= Situation.secondOf(flight.lease().grantedAt()) + 1;
    Hand hand = flight.hand() == Hand.ZOMBIE && closed ? Hand.NOBODY : flight.hand();
    return flight.to(hand, flight.inFlight() && !(settled && scenario.honest()), flight.report());
  }

  /** The process dies; all that is known of the call afterwards is its journal. */
  private void crash(Situation at, Fan fan) {
    if (!scenario.has(Feature.CRASH)) {
      return;
    }
    boolean nothingToLose =
        at.running.isEmpty()
            && at.cannotTell.isEmpty()
            && at.held == null
            && at.asked == null
            && at.askedBefore == null
            && at.flights.stream().allMatch(each -> each.report() == Report.NONE);
    if (nothingToLose) {
      return;
    }
    fan.edge("crash", Fan.FAULT, () -> died(at, Hand.NOBODY));
    boolean unsent = at.flights.stream().anyMatch(each -> each.hand() == Hand.READY);
    if (unsent && scenario.has(Feature.ZOMBIE)) {
      fan.edge("takeover from a paused process", Fan.FAULT, () -> died(at, Hand.ZOMBIE));
    }
  }

  private Situation died(Situation at, Hand unsent) {
    Situation next = at.copy();
    next.running = Set.of();
    next.cannotTell = Set.of();
    next.held = null;
    next.asked = null;
    next.askedBefore = null;
    List<Flight> flights = new ArrayList<>();
    for (Flight each : at.flights) {
      Report report = scenario.has(Feature.LATE_REPORTS) ? each.report() : Report.NONE;
      Hand hand =
          switch (each.hand()) {
            case READY -> unsent;
            case WAITING, NOBODY -> Hand.NOBODY;
            case ZOMBIE -> Hand.ZOMBIE;
            case CLIENT -> Hand.CLIENT;
          };
      flights.add(each.to(hand, each.inFlight(), report));
    }
    next.flights = List.copyOf(flights);
    next.facts = replayed(at);
    return next;
  }

  /** The facts as a new process finds them; once for each journal all that replay must be. */
  private static HeldCallFacts replayed(Situation at) {
    Journal journal = at.journal;
    if (journal == null || !journal.firstReplay()) {
      return at.facts;
    }
    List<HeldCallEvent> events = journal.events();
    HeldCallFacts facts = HeldCallReducer.reduceAll(HeldCallFacts.NONE, events);
    Violation.demand(facts.equals(at.facts), "4 append once: replay leads to other facts");
    HeldCallFacts twice = HeldCallFacts.NONE;
    for (HeldCallEvent each : events) {
      twice = HeldCallReducer.reduce(HeldCallReducer.reduce(twice, each), each);
      Violation.demand(
          HeldCallReducer.reduce(facts, each).equals(facts),
          "4 append once: an old event told again counts again");
    }
    Violation.demand(twice.equals(facts), "4 append once: events told twice count twice");
    return facts;
  }

  private void relatives(Situation at, Fan fan) {
    if (!scenario.has(Feature.RELATIVES)) {
      return;
    }
    if (!at.announced) {
      hears(
          fan,
          "a child is announced",
          at,
          new HeldCallCommand.AnnounceChild(Cast.CHILD),
          (next, answer) -> next.announced = next.facts.children().containsKey(Cast.CHILD));
    } else {
      hears(
          fan,
          "the child settles",
          at,
          related(Cast.CHILD, DependencyState.SATISFIED, true),
          (next, answer) -> next.childDone = true);
    }
    if (at.dependency == DependencyState.PENDING && at.upstream < 2) {
      boolean counts = at.facts.undecided();
      hears(
          fan,
          at.upstream == 0 ? "the dependency is seen" : "the dependency is edited",
          at,
          seen(at.upstream + 1),
          (next, answer) -> {
            next.upstream++;
            if (next.upstream == 2 && counts) {
              // What was said with the first content in view says nothing of the second.
              next.statements = next.statements.stream().map(Statement::takenBack).toList();
            }
          });
    }
    if (at.dependency != DependencyState.REFUSED) {
      hears(
          fan,
          "the dependency succeeds",
          at,
          related(Cast.DEPENDENCY, DependencyState.SATISFIED, false),
          (next, answer) -> next.dependency = DependencyState.SATISFIED);
    }
    if (at.dependency != DependencyState.SATISFIED) {
      hears(
          fan,
          "the dependency is refused",
          at,
          related(Cast.DEPENDENCY, DependencyState.REFUSED, false),
          (next, answer) -> next.dependency = DependencyState.REFUSED);
    }
  }

  private void hears(
      Fan fan, String name, Situation at, HeldCallCommand command, Incarnation.Reaction reaction) {
    incarnation.hears(fan, name, Fan.FAULT, at, command, reaction);
  }

  private static HeldCallCommand seen(int content) {
    Upstream upstream =
        new Upstream(new Digest("sha256:" + String.valueOf(content).repeat(64)), null);
    return new HeldCallCommand.ReportDependency(
        Cast.DEPENDENCY, DependencyState.PENDING, false, "as it is", upstream);
  }

  private static HeldCallCommand related(String id, DependencyState state, boolean child) {
    return new HeldCallCommand.ReportDependency(id, state, child, "so it is");
  }
}
