package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.HeldCallReconciler;
import org.jspecify.annotations.Nullable;

/** The tool's read-back: asked whenever it is planned, answered late, out of order, and twice. */
final class ReadBackMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  ReadBackMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    Situation.Asked before = at.askedBefore;
    if (before != null) {
      comes(at, fan, before, "the read-back of before comes in", null);
    }
    Situation.Asked asked = at.asked;
    if (asked != null) {
      comes(at, fan, asked, "the read-back comes in", asked);
      boolean overtaken = asked.report() instanceof ReadBackReport.NoEffect;
      if (before == null && overtaken && !scenario.honest()) {
        fan.edge("the read-back is asked again", Fan.FAULT, () -> overtaken(at, asked));
      }
      return;
    }
    for (EnabledWork each :
        HeldCallReconciler.plan(at.facts, incarnation.context(at, at.knownEpoch, false))
            .outward()) {
      if (each instanceof EnabledWork.ReadBack item) {
        boolean effect = at.happened(item.lease().idempotencyKey());
        boolean counts = effect || !at.now().isBefore(item.lease().settlesAt());
        ReadBackReport seen = effect ? effectSeen() : new ReadBackReport.NoEffect();
        ask(at, fan, item, counts ? Fan.TOOL + 1 : Fan.FAULT, seen);
        if (scenario.has(Feature.CANNOT_TELL) && !at.cannotTell.contains(item.lease().leaseId())) {
          ask(at, fan, item, Fan.FAULT, new ReadBackReport.CannotTell("503"));
        }
      }
    }
  }

  private void ask(
      Situation at, Fan fan, EnabledWork.ReadBack item, int rank, ReadBackReport seen) {
    fan.edge(
        "read-back sees " + seen.getClass().getSimpleName() + " of " + item.lease().token(),
        rank,
        () -> {
          Situation next = at.copy();
          next.asked = new Situation.Asked(item.lease().leaseId(), at.now(), seen);
          return next;
        });
  }

  private ReadBackReport effectSeen() {
    DispatchReport.Answered same = ToolMoves.answer(true, ToolMoves.content(scenario));
    return new ReadBackReport.Effect(
        same.content(), same.contentDigest(), same.contentBytes(), false);
  }

  private static Situation overtaken(Situation at, Situation.Asked asked) {
    Situation next = at.copy();
    next.askedBefore = asked;
    next.asked = null;
    return next;
  }

  /** An answer is taken in: the one that was asked for last, or the one before it. */
  private void comes(
      Situation at, Fan fan, Situation.Asked asked, String name, Situation.@Nullable Asked last) {
    Situation told = at.copy();
    told.asked = last == null ? at.asked : null;
    told.askedBefore = last == null ? null : at.askedBefore;
    if (asked.report() instanceof ReadBackReport.CannotTell) {
      told.cannotTell = Situation.with(at.cannotTell, asked.leaseId());
    }
    Incarnation.Reaction seen =
        (next, answer) ->
            Violation.demand(
                !(asked.report() instanceof ReadBackReport.Effect)
                    || next.facts.outcome() != null
                    || next.facts.lateEffect(),
                "an effect was seen and is not on record");
    HeldCallCommand command =
        new HeldCallCommand.ReportReadBack(asked.leaseId(), asked.at(), asked.report());
    incarnation.hears(fan, name, Fan.REPORT, told, command, seen);
    if (last != null && scenario.has(Feature.DOUBLED_REPORTS)) {
      Situation twice = told.copy();
      twice.asked = asked;
      incarnation.hears(fan, name + ", not for the last time", Fan.FAULT, twice, command, seen);
    }
  }
}
