package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.Invariants;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.HeldCallLoop;
import dev.heldcall.kernel.work.LoopResult;
import dev.heldcall.plugin.api.ExecutorKind;
import java.util.List;
import java.util.TreeSet;

/**
 * What the call's actor does with a command, without the actor: one turn of the real loop under the
 * policy that memory has; if that asks for a fresh read, nothing is written, the read is made, and
 * the command is decided anew; then all events are one write, and only then is work started.
 *
 * <p>A crash between decision and write leaves the journal as it was and memory empty: that is the
 * situation after a crash before the command. A crash between write and start of work is a crash
 * right after the turn. Neither needs a move of its own beside the crash.
 */
final class Incarnation {

  /** What people do with the answer; it is given once the turn is written. */
  interface Reaction {
    void on(Situation next, Answer answer);

    /** Nobody listens. */
    Reaction NONE = (next, answer) -> {};
  }

  private final Scenario scenario;
  private final Transitions transitions;
  private final OwnBook book;
  private final Judgement judgement;

  Incarnation(Scenario scenario, Transitions transitions) {
    this.scenario = scenario;
    this.transitions = transitions;
    this.book = new OwnBook(scenario);
    this.judgement = new Judgement(scenario, book);
  }

  OwnBook book() {
    return book;
  }

  CallContext context(Situation at, long epoch, boolean fresh) {
    return context(at, epoch, fresh, true);
  }

  private CallContext context(Situation at, long epoch, boolean fresh, boolean floorAgreed) {
    return new CallContext(
        at.now(),
        new PolicyInForce(
            scenario.policy(epoch).layers(),
            epoch,
            fresh,
            floorAgreed,
            ref -> new TreeSet<>(Cast.CAPABILITIES),
            Cast::roster,
            KeyStandings.ALL_STAND),
        scenario.terms(),
        at.running,
        at.cannotTell,
        scenario.refusals());
  }

  /** Takes a command in; where it needs policy, also late, and also in vain. */
  void hears(
      Fan fan, String name, int rank, Situation at, HeldCallCommand command, Reaction reaction) {
    fan.at(name);
    CallContext known = context(at, at.knownEpoch, false);
    LoopResult first = HeldCallLoop.run(at.facts, command, known);
    if (!first.wantsFreshPolicy()) {
      fan.edge(name, rank, () -> written(at.copy(), command, known, first, reaction));
    } else {
      readsPolicy(fan, name, rank, at, command, reaction);
    }
  }

  /** Decides with a fresh read; the read may take its time, or fail. */
  void readsPolicy(
      Fan fan, String name, int rank, Situation at, HeldCallCommand command, Reaction reaction) {
    fan.edge(name, rank, () -> decided(at.copy(), command, at.epoch, reaction));
    if (scenario.has(Feature.HELD_BACK) && at.held == null) {
      fan.edge(
          name + ", waiting for policy",
          Fan.FAULT,
          () -> {
            Situation next = at.copy();
            next.held = new Situation.HeldBack(name, command, reaction, at.epoch);
            return next;
          });
    }
    if (scenario.has(Feature.POLICY_OUTAGE)) {
      CallContext known = context(at, at.knownEpoch, false);
      fan.edge(
          name + ", policy unreachable",
          Fan.FAULT,
          () ->
              written(
                  at.copy(), command, known, HeldCallLoop.run(at.facts, command, known), reaction));
    }
    onOtherFloor(fan, name, at, command, reaction);
  }

  private void onOtherFloor(
      Fan fan, String name, Situation at, HeldCallCommand command, Reaction reaction) {
    if (scenario.has(Feature.OTHER_FLOOR)) {
      CallContext known = context(at, at.epoch, true, false);
      fan.edge(
          name + ", on a node of another floor",
          Fan.FAULT,
          () ->
              written(
                  at.copy(), command, known, HeldCallLoop.run(at.facts, command, known), reaction));
    }
  }

  /** The policy read of the command that was held back has come in. */
  void resumes(Fan fan, Situation at) {
    Situation.HeldBack held = at.held;
    if (held != null) {
      fan.edge(
          "policy comes for " + held.name(),
          Fan.REPORT,
          () -> {
            Situation next = at.copy();
            next.held = null;
            return decided(next, held.command(), held.epoch(), held.reaction());
          });
    }
  }

  private Situation decided(
      Situation next, HeldCallCommand command, long epoch, Reaction reaction) {
    CallContext fresh = context(next, epoch, true);
    next.knownEpoch = Math.max(next.knownEpoch, epoch);
    Situation after =
        written(next, command, fresh, HeldCallLoop.run(next.facts, command, fresh), reaction);
    if (epoch == after.epoch) {
      book.notIdle(after);
    }
    return after;
  }

  /** What is written is what was decided, and nothing is started or said before. */
  Situation written(
      Situation next,
      HeldCallCommand command,
      CallContext context,
      LoopResult result,
      Reaction reaction) {
    Violation.demand(!result.overBound(), "the loop found no fixed point");
    List<HeldCallEvent> events = result.events();
    List<String> broken = Invariants.violations(next.facts, events, result.facts(), context);
    Violation.demand(broken.isEmpty(), String.join("; ", broken));
    Said.isWritten(next.facts, command, result);
    transitions.record(next.facts, events);
    var before = next.facts;
    next.facts = result.facts();
    if (!events.isEmpty()) {
      next.journal = new Journal(next.journal, events);
    }
    book.write(next, events);
    reaction.on(next, result.answer());
    start(next, result, context);
    judgement.afterTurn(before, next, events);
    if (!(result.answer() instanceof Answer.FreshPolicyNeeded)) {
      judgement.expired(before, next);
    }
    return next;
  }

  private void start(Situation next, LoopResult result, CallContext context) {
    PolicyInForce policy = context.policy();
    for (HeldCallEvent event : result.events()) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        Lease lease = granted.lease();
        book.leased(next, lease, policy != null && policy.fresh() && policy.floorAgreed());
        boolean client = lease.executor() == ExecutorKind.CLIENT;
        boolean planned =
            result.plan().outward().stream()
                .anyMatch(
                    each ->
                        each instanceof EnabledWork.Dispatch dispatch
                            && dispatch.lease().equals(lease));
        Violation.demand(planned != client, "a lease is not sent, or not by whoever holds it");
        next.running = Situation.with(next.running, lease.leaseId());
        next.flights =
            Situation.with(
                next.flights,
                new Flight(
                    lease,
                    client ? Flight.Hand.CLIENT : Flight.Hand.READY,
                    false,
                    Flight.Report.NONE));
      }
    }
    for (EnabledWork each : result.plan().outward()) {
      if (each instanceof EnabledWork.Dispatch dispatch) {
        Violation.demand(
            next.running.contains(dispatch.lease().leaseId()),
            "2 at most once: a lease of an earlier process, or of none, is sent");
      }
    }
  }
}
