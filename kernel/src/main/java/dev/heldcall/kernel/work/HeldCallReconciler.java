package dev.heldcall.kernel.work;

import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Answers what work is enabled now, from the facts and nothing else: never from what triggered the
 * question. Lost messages heal, because everything is compared every time.
 */
public final class HeldCallReconciler {

  private HeldCallReconciler() {}

  /** The work that is enabled. */
  public static WorkPlan plan(HeldCallFacts facts, CallContext context) {
    List<EnabledWork> items = new ArrayList<>();
    if (facts.proposed()) {
      Instant now = facts.now(context.now());
      decisions(facts, context, now, items);
      witnesses(facts, now, items);
      watches(facts, items);
      effects(facts, context, items);
      delivery(facts, items);
    }
    return new WorkPlan(items);
  }

  private static void decisions(
      HeldCallFacts facts, CallContext context, Instant now, List<EnabledWork> items) {
    if (Enabling.cancelWish(facts)) {
      decide(items, new HeldCallCommand.HonourCancelWish(), "cancel-wish", "no effect, and a wish");
    }
    if (Enabling.refusedDependency(facts)) {
      decide(
          items, new HeldCallCommand.RefuseDependent(), "refuse-dependent", "a dependency ended");
    }
    for (String id : Enabling.expiredAttestations(facts, now)) {
      decide(
          items,
          new HeldCallCommand.ExpireAttestation(id),
          "expire-attestation:" + id,
          "its time ran out");
    }
    for (String id : Enabling.evidenceOfRevokedKeys(facts, context)) {
      decide(
          items,
          new HeldCallCommand.RevokeWithKey(id),
          "revoke-with-key:" + id,
          "its key was revoked");
    }
    for (int index : Enabling.dueFallbacks(facts, now)) {
      decide(
          items,
          new HeldCallCommand.OpenFallback(index),
          "open-fallback:" + index,
          "its time has come");
    }
    if (Enabling.expiry(facts, now)) {
      decide(items, new HeldCallCommand.ExpireCall(), "expire-call", "its time ran out");
    }
    if (Enabling.refuted(facts, now)) {
      decide(items, new HeldCallCommand.RefuseRefuted(), "refuse-refuted", "the rule is refuted");
    }
    if (Enabling.exhausted(facts, context)) {
      decide(items, new HeldCallCommand.GiveUp(), "give-up", "no attempt is left");
    }
    Lease lost = Enabling.lostLease(facts, context, now);
    if (lost != null) {
      decide(
          items,
          new HeldCallCommand.DeclareUnknown(lost.leaseId(), "no outcome was recorded in time"),
          "declare-unknown:" + lost.leaseId(),
          "nobody will report");
    }
    if (Enabling.otherPolicy(facts, context)) {
      decide(items, new HeldCallCommand.RuleAgain(), "rule-again", "policy has moved on");
    }
    if (Enabling.lease(facts, context, now)) {
      decide(
          items,
          new HeldCallCommand.GrantLease(),
          "grant-lease:" + (facts.attempts() + 1),
          "everything is ready");
    }
  }

  private static void decide(
      List<EnabledWork> items, HeldCallCommand.KernelCommand command, String key, String reason) {
    items.add(new EnabledWork.Decide(command, key, reason));
  }

  private static void witnesses(HeldCallFacts facts, Instant now, List<EnabledWork> items) {
    if (facts.undecided() && !EvidenceView.satisfied(facts, now)) {
      int generation = facts.requireGeneration().number();
      for (String asked : EvidenceView.askedClasses(facts)) {
        items.add(new EnabledWork.AskWitness(generation, asked, "evidence is wanted"));
      }
    }
  }

  private static void watches(HeldCallFacts facts, List<EnabledWork> items) {
    for (String child : Enabling.childrenToEnd(facts)) {
      items.add(
          new EnabledWork.EndChild(
              child,
              facts.lifecycle() == Lifecycle.OPEN ? "edited" : facts.lifecycle().wireName(),
              "what it serves no longer stands"));
    }
    if (!facts.undecided()) {
      return;
    }
    for (Map.Entry<String, DependencyState> each : facts.dependencies().entrySet()) {
      if (each.getValue() == DependencyState.PENDING) {
        items.add(new EnabledWork.WatchCall(each.getKey(), false, "must succeed first"));
      }
    }
    for (String child : facts.children().keySet()) {
      if (!facts.settledChildren().contains(child)) {
        items.add(new EnabledWork.WatchCall(child, true, "must settle first"));
      }
    }
  }

  private static void effects(HeldCallFacts facts, CallContext context, List<EnabledWork> items) {
    LeaseRecord last = facts.lastLease();
    if (last == null || facts.outcome() != null) {
      return;
    }
    if (last.state() == LeaseState.DISPATCHED
        && last.lease().executor() != ExecutorKind.CLIENT
        && context.running().contains(last.lease().leaseId())) {
      items.add(new EnabledWork.Dispatch(last.lease(), "its lease is in the journal"));
    }
    Ruling ruling = facts.ruling();
    List<LeaseRecord> unknown = facts.unknownLeases();
    if (!unknown.isEmpty() && ruling != null && ruling.traits().readBack()) {
      items.add(
          new EnabledWork.ReadBack(unknown.getLast().lease(), "nobody knows what came of it"));
    }
  }

  private static void delivery(HeldCallFacts facts, List<EnabledWork> items) {
    if (facts.concluded() && facts.delivery() == Delivery.PENDING) {
      items.add(
          new EnabledWork.OfferDelivery(
              OutcomeJson.deliveryId(facts), "the session has no outcome yet"));
    }
  }
}
