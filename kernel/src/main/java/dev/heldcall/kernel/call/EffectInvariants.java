package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallEvent.LeaseEndedWithoutEffect;
import dev.heldcall.kernel.call.HeldCallEvent.LeaseGranted;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeBecameUnknown;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeRecorded;
import dev.heldcall.kernel.call.Invariants.Step;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The invariants of leases and effects: 1, 2 and 7. */
final class EffectInvariants {

  private EffectInvariants() {}

  static void check(Step step) {
    long underWay =
        step.after().leases().stream()
            .filter(each -> each.state() == LeaseState.DISPATCHED)
            .count();
    step.demand(underWay <= 1, Invariant.AT_MOST_ONCE, "two dispatches are under way");
    proofsStand(step);
    if (step.event() instanceof LeaseGranted granted) {
      witnessed(step, granted.lease());
      boundToPolicy(step, granted.lease());
      atMostOnce(step, granted.lease());
    } else if (step.event() instanceof OutcomeBecameUnknown unknown) {
      step.demand(
          stateBefore(step, unknown.leaseId()) == LeaseState.DISPATCHED
              && step.before().outcome() == null,
          Invariant.AMBIGUITY,
          "what was under way no more became unknown");
    } else if (step.event() instanceof LeaseEndedWithoutEffect ended) {
      LeaseState state = stateBefore(step, ended.leaseId());
      step.demand(
          state == LeaseState.DISPATCHED || state == LeaseState.UNKNOWN,
          Invariant.AMBIGUITY,
          "a lease that was settled was settled again");
    } else if (step.event() instanceof OutcomeRecorded recorded) {
      step.demand(
          stateBefore(step, recorded.leaseId()) != null,
          Invariant.AMBIGUITY,
          "an outcome under a lease that was never granted");
    }
  }

  private static @Nullable LeaseState stateBefore(Step step, String leaseId) {
    LeaseRecord known = step.before().lease(leaseId);
    return known == null ? null : known.state();
  }

  /** An unknown lease moves only by proof, outcome or a lease; nothing forgets it. */
  private static void proofsStand(Step step) {
    int known = Math.min(step.before().leases().size(), step.after().leases().size());
    for (int i = 0; i < known; i++) {
      LeaseRecord was = step.before().leases().get(i);
      LeaseRecord is = step.after().leases().get(i);
      step.demand(was.lease().equals(is.lease()), Invariant.NEVER_UNDONE, "a lease was changed");
      boolean moved =
          switch (was.state()) {
            case DISPATCHED -> true;
            case UNKNOWN -> is.state() != LeaseState.DISPATCHED;
            case NO_EFFECT ->
                is.state() == LeaseState.NO_EFFECT
                    || (is.state() == LeaseState.EFFECT && step.before().lateEffect());
            case EFFECT -> is.state() == LeaseState.EFFECT;
          };
      step.demand(moved, Invariant.AMBIGUITY, "what was known of a lease was forgotten");
    }
  }

  private static void witnessed(Step step, Lease lease) {
    HeldCallFacts before = step.before();
    Instant now = lease.grantedAt();
    step.demand(
        before.lifecycle() == Lifecycle.OPEN && before.cancelWish() == null,
        Invariant.NO_EFFECT_AFTER_END,
        "a lease after an end or a wish to cancel");
    step.demand(
        before.expiresAt() == null || now.isBefore(before.expiresAt()),
        Invariant.NO_EFFECT_AFTER_END,
        "a lease after the call's time ran out");
    step.demand(
        now.equals(step.event().meta().at())
            && EvidenceView.satisfied(before, now, step.context().keys()),
        Invariant.WITNESSED_EFFECT,
        "the witness rule is not satisfied");
    step.demand(
        before.dependenciesDone(),
        Invariant.WITNESSED_EFFECT,
        "something that the call waits for is not done");
    Generation generation = before.requireGeneration();
    CallSpec spec = before.requireSpec();
    Ruling ruling = Objects.requireNonNull(before.ruling());
    step.demand(
        lease.heldId().equals(spec.heldId())
            && lease.token().generation() == generation.number()
            && lease.callDigest().equals(generation.callDigest())
            && lease.pluginSetDigest().equals(spec.pluginSetDigest())
            && Objects.equals(lease.toolDigest(), ruling.toolDigest()),
        Invariant.WITNESSED_EFFECT,
        "the lease is bound to another call than the one that was witnessed");
    step.demand(
        !lease.deadline().isBefore(now) && !lease.settlesAt().isBefore(lease.deadline()),
        Invariant.WITNESSED_EFFECT,
        "the lease's times are out of order");
  }

  private static void boundToPolicy(Step step, Lease lease) {
    PolicyInForce policy = step.context().freshPolicy(step.before());
    step.demand(
        policy != null
            && policy.floorAgreed()
            && lease.epoch() == policy.epoch()
            && lease.policyVersion().equals(policy.layers().policyVersion()),
        Invariant.WITNESSED_EFFECT,
        "the lease is not bound to the policy in force, read for it");
  }

  private static void atMostOnce(Step step, Lease lease) {
    HeldCallFacts before = step.before();
    step.demand(
        before.outcome() == null && !before.lateEffect(),
        Invariant.AT_MOST_ONCE,
        "a lease although an effect was reported");
    step.demand(
        lease
            .idempotencyKey()
            .equals(LeaseRules.idempotencyKey(lease.heldId(), lease.token().generation())),
        Invariant.AT_MOST_ONCE,
        "another idempotency key than the generation's");
    step.demand(
        lease.token().attempt() <= step.context().terms().maxAttempts(),
        Invariant.AT_MOST_ONCE,
        "more attempts than permitted");
    for (LeaseRecord earlier : before.leases()) {
      step.demand(
          earlier.lease().token().compareTo(lease.token()) < 0
              && !earlier.lease().leaseId().equals(lease.leaseId()),
          Invariant.AT_MOST_ONCE,
          "the fencing token does not grow");
      step.demand(
          earlier.state() == LeaseState.NO_EFFECT
              || (earlier.state() == LeaseState.UNKNOWN
                  && honoursKey(step)
                  && earlier.lease().idempotencyKey().equals(lease.idempotencyKey())),
          Invariant.AT_MOST_ONCE,
          "a second lease without proof that the first had no effect");
    }
  }

  private static boolean honoursKey(Step step) {
    PolicyInForce policy = step.context().policy();
    return policy != null
        && step.before().requireSpec().boundary() == Boundary.TOOL
        && policy
            .layers()
            .tool(step.before().requireGeneration().tool())
            .map(ToolEntry::idempotent)
            .orElse(false);
  }
}
