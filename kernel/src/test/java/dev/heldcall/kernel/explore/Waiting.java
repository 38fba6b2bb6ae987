package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.HeldCallDecider;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.Readiness;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.HeldCallReconciler;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says whom a call waits for, if it rightly does; and holds what people are told to that. */
final class Waiting {

  private final Scenario scenario;
  private final Incarnation incarnation;

  Waiting(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  /** Who moves the call next, or null if the system itself must. */
  @Nullable String forWhom(Situation at) {
    HeldCallFacts facts = at.facts;
    if (!facts.proposed()) {
      return "its proposer";
    }
    CallContext context = incarnation.context(at, at.knownEpoch, false);
    List<EnabledWork> plan = HeldCallReconciler.plan(facts, context).items();
    List<String> explained = HeldCallStatus.of(facts, at.now(), Cast::roster).explain();
    for (EnabledWork each : plan) {
      Violation.demand(
          !(each instanceof EnabledWork.Dispatch dispatch)
              || at.running.contains(dispatch.lease().leaseId()),
          "2 at most once: a lease of an earlier process is sent");
    }
    if (facts.concluded()) {
      boolean offered = plan.stream().anyMatch(EnabledWork.OfferDelivery.class::isInstance);
      Violation.demand(
          offered == (facts.delivery() == Delivery.PENDING), "an outcome is not offered");
      return facts.delivery() == Delivery.PENDING ? "its session" : "nobody";
    }
    if (!Judgement.told(facts).endsWith("nullnull")) {
      throw new Violation("10 one result: told before it is known");
    }
    return switch (facts.execution()) {
      case NONE -> undecided(at, plan, explained);
      case LEASED -> leased(at);
      case OUTCOME_UNKNOWN -> unknown(at, plan, explained);
      case EFFECT_RECORDED -> null;
    };
  }

  private @Nullable String undecided(Situation at, List<EnabledWork> plan, List<String> explained) {
    HeldCallFacts facts = at.facts;
    boolean decides = plan.stream().anyMatch(EnabledWork.Decide.class::isInstance);
    if (decides || at.held != null || at.knownEpoch < at.epoch) {
      return null;
    }
    String words = String.join("; ", explained);
    Readiness readiness = HeldCallStatus.of(facts, at.now(), Cast::roster).readiness();
    boolean asks = plan.stream().anyMatch(EnabledWork.AskWitness.class::isInstance);
    if (readiness != Readiness.SATISFIED) {
      Violation.demand(asks && !words.isEmpty(), "nobody is asked, or nobody is told who is");
      return "its witnesses";
    }
    Violation.demand(!asks, "witnesses are asked for what they have given");
    if (!facts.dependenciesDone()) {
      boolean watches = plan.stream().anyMatch(EnabledWork.WatchCall.class::isInstance);
      Violation.demand(watches && words.contains("waiting for: hc_"), "no call is watched");
      return "another call";
    }
    boolean client = scenario.client();
    if (client && mayTake(facts)) {
      Violation.demand(words.contains("a worker to take the lease"), "no worker is named");
      return "a worker";
    }
    return null;
  }

  private boolean mayTake(HeldCallFacts facts) {
    return facts.attempts() < scenario.attempts();
  }

  private @Nullable String leased(Situation at) {
    var lease = Objects.requireNonNull(at.facts.lastLease()).lease();
    boolean client = scenario.client();
    return client && at.now().isBefore(lease.deadline()) ? "its worker" : null;
  }

  /** An operator is the last resort: nothing of the system's own may be left, and it must work. */
  private @Nullable String unknown(Situation at, List<EnabledWork> plan, List<String> explained) {
    boolean readBack = plan.stream().anyMatch(EnabledWork.ReadBack.class::isInstance);
    boolean saysReadBack = explained.contains("waiting for: the tool's read-back");
    Violation.demand(readBack == saysReadBack, "said to wait for a read-back: " + saysReadBack);
    boolean saysAgain = explained.stream().anyMatch(each -> each.contains(" again while "));
    Violation.demand(saysAgain == mayRepeat(at), "said to be dispatched again: " + saysAgain);
    boolean reports =
        at.asked != null
            || at.askedBefore != null
            || at.held != null
            || at.flights.stream().anyMatch(each -> each.report() != Flight.Report.NONE);
    if (readBack || reports || repeats(at)) {
      return null;
    }
    Violation.demand(explained.contains("an operator can resolve it"), "no operator is named");
    Violation.demand(resolvable(at), "the operator who is named can do nothing");
    return "an operator";
  }

  /** Whether the same dispatch may still be sent again, by what the design says. */
  private boolean repeats(Situation at) {
    HeldCallFacts facts = at.facts;
    List<LeaseRecord> unknown = facts.unknownLeases();
    return mayRepeat(at)
        && !scenario.client()
        && facts.attempts() < scenario.attempts()
        && at.now().isBefore(unknown.getFirst().lease().firstDispatchAt().plusSeconds(30))
        && incarnation.book().maySend(at, at.epoch);
  }

  /** As far as anybody can be told who knows neither bounds nor the policy that comes. */
  private boolean mayRepeat(Situation at) {
    HeldCallFacts facts = at.facts;
    Policy under = at.heldUnder;
    return scenario.idempotent()
        && !facts.unknownLeases().isEmpty()
        && !facts.lateEffect()
        && !at.wishedToCancel
        && at.second < at.expiresAt
        && (under == null || incarnation.book().verdict(at, under) == 'T');
  }

  private boolean resolvable(Situation at) {
    int settled = at.second;
    for (Flight each : at.flights) {
      settled = Math.max(settled, Situation.secondOf(each.lease().settlesAt()));
    }
    Situation later = at.copy();
    later.second = settled;
    return HeldCallDecider.decide(
                at.facts,
                PeopleMoves.resolution(Cast.OPERATOR, !at.effects.isEmpty()),
                incarnation.context(later, later.knownEpoch, false))
            .answer()
        instanceof Answer.Stands;
  }
}
