package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.HeldCallReconciler;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold when a run is over; more of it if the faults had stopped. */
final class EndCheck {

  private final Simulation world;
  private final Oracle oracle;

  EndCheck(Simulation world) {
    this.world = world;
    this.oracle = world.oracle();
  }

  /** Holds whatever went wrong: the journal reads back as what it was, and nothing is lost. */
  void safety() {
    oracle
        .calls()
        .forEach(
            (heldId, call) -> {
              HeldCallFacts facts = HeldCallFacts.NONE;
              for (Object event : world.journal().recovered(heldId)) {
                facts = HeldCallReducer.reduce(facts, (HeldCallEvent) event);
              }
              oracle.demand(
                  facts.equals(world.journal().facts(heldId)),
                  heldId,
                  "the journal reads back as something else");
            });
    for (Map.Entry<String, MailboxWorld.Item> each : world.mailbox().items().entrySet()) {
      oracle.demand(
          !world.agent().leaves(each.getKey()) || !each.getValue().acknowledged,
          each.getValue().heldId,
          "a delivery that nobody acknowledged counts as acknowledged");
    }
  }

  /** Once faults have stopped, all is done or waits for somebody who can be named. */
  void liveness() {
    for (Client client : world.clients()) {
      for (String open : client.open()) {
        oracle.broken("no answer ever came to " + open);
      }
    }
    for (Node node : world.cluster().nodes()) {
      for (CallShell shell : node.calls().values()) {
        oracle.demand(
            shell.memoryIsYoung(), shell.heldId(), "what is in memory never leaves it: " + shell);
      }
    }
    for (String heldId : oracle.calls().keySet()) {
      HeldCallFacts facts = world.journal().facts(heldId);
      if (facts.proposed()) {
        settled(heldId, facts);
      }
    }
  }

  private void settled(String heldId, HeldCallFacts facts) {
    if (facts.concluded()) {
      String delivery = OutcomeJson.deliveryId(facts);
      MailboxWorld.Item item = world.mailbox().items().get(delivery);
      oracle.demand(item != null, heldId, "a conclusion that is not in the mailbox");
      oracle.demand(
          item == null || item.acknowledged != world.agent().leaves(delivery),
          heldId,
          "a delivery that was acknowledged is not marked so");
      return;
    }
    List<String> words = HeldCallStatus.of(facts, CoreFixtures.START, name -> List.of()).explain();
    boolean named =
        words.stream()
            .anyMatch(
                each -> each.startsWith("waiting for") || each.contains("an operator can resolve"));
    oracle.demand(named, heldId, "waits and nobody knows for whom: " + words);
    oracle.demand(
        facts.execution() != Execution.LEASED, heldId, "a dispatch that never ends: " + words);
    noWorkLeft(heldId, facts);
  }

  private void noWorkLeft(String heldId, HeldCallFacts facts) {
    CallContext context =
        new CallContext(
            CoreFixtures.START.plusMillis(world.timeline().now()),
            world.policies().latest(),
            LeaseRules.Terms.DEFAULT,
            Set.of(),
            Set.of(),
            200);
    for (EnabledWork item : HeldCallReconciler.plan(facts, context).outward()) {
      switch (item) {
        case EnabledWork.AskWitness ask -> {}
        case EnabledWork.EndChild end ->
            oracle.demand(
                world.journal().facts(end.heldId()).dispatched()
                    && !world.journal().facts(end.heldId()).concluded(),
                heldId,
                "a nested call was left that was not dispatched: " + end.heldId());
        case EnabledWork.WatchCall watch ->
            oracle.demand(
                watch.child()
                    ? !world.journal().facts(watch.heldId()).concluded()
                    : waitsInTurn(watch.heldId()),
                heldId,
                "waits for a call that has long come to its end");
        case EnabledWork.Decide decide -> {}
        case EnabledWork.Dispatch dispatch ->
            oracle.demand(false, heldId, "work is left: " + dispatch.key());
        case EnabledWork.ReadBack readBack ->
            oracle.demand(false, heldId, "work is left: " + readBack.key());
        case EnabledWork.OfferDelivery offer ->
            oracle.demand(false, heldId, "work is left: " + offer.key());
      }
    }
    HeldCallReconciler.plan(facts, context).decisions().stream()
        .filter(each -> !forbiddenByPolicy(heldId, facts, each))
        .forEach(each -> oracle.demand(false, heldId, "work is left: " + each.key()));
  }

  /** An unknown outcome is not dispatched again under a policy that changed: it waits (rule 7). */
  private boolean forbiddenByPolicy(String heldId, HeldCallFacts facts, EnabledWork.Decide work) {
    return work.command() instanceof HeldCallCommand.GrantLease
        && facts.execution() == Execution.OUTCOME_UNKNOWN
        && oracle.call(heldId).ruledEpoch != world.policies().epoch();
  }

  /** A dependency is open, or its result is quarantined: then its dependent waits. */
  private boolean waitsInTurn(String heldId) {
    ShadowCall other = oracle.call(heldId);
    return !other.concluded || (other.end == null && !other.admitted);
  }
}
