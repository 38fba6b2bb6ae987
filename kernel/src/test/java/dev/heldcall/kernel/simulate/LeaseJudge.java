package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.ReferenceEvaluator;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.Vote;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The oracle's judgement of leases and effects. */
final class LeaseJudge {

  private final Simulation world;
  private final Oracle oracle;

  LeaseJudge(Simulation world, Oracle oracle) {
    this.world = world;
    this.oracle = oracle;
  }

  /** A lease is written: everything that must be true of it by what is written before. */
  void granted(String heldId, ShadowCall call, Lease lease) {
    oracle.demand(call.end == null, heldId, "a lease after the end");
    oracle.demand(!call.outcome, heldId, "a lease after the outcome");
    oracle.demand(!call.cancelWished, heldId, "a lease against a wish to cancel");
    oracle.demand(
        lease.token().generation() == call.generation && lease.callDigest().equals(call.callDigest),
        heldId,
        "a lease for another generation than stands");
    oracle.demand(
        call.expiresAt == null || lease.grantedAt().isBefore(call.expiresAt),
        heldId,
        "a lease after the call's time ran out");
    oracle.demand(call.unsettled().isEmpty(), heldId, "a lease before those it waits for");
    for (ShadowCall.Leased earlier : call.leases.values()) {
      oracle.demand(
          earlier.withoutEffect
              || (idempotent(call.tool)
                  && earlier.lease.idempotencyKey().equals(lease.idempotencyKey())),
          heldId,
          "a second lease without proof and without a key that is honoured");
    }
    underPolicy(heldId, call, lease);
  }

  private static boolean idempotent(String tool) {
    return Objects.requireNonNull(CoreFixtures.TOOLS.get(tool)).idempotent();
  }

  private void underPolicy(String heldId, ShadowCall call, Lease lease) {
    PolicyVariant policy = world.policies().variant(lease.epoch());
    if (policy == null) {
      oracle.broken(world.shortName(heldId) + ": a lease under an epoch that never was");
      return;
    }
    long least = world.policies().epochAt(call.readySince);
    oracle.demand(
        lease.epoch() >= least,
        heldId,
        "a lease under epoch "
            + lease.epoch()
            + ", and epoch "
            + least
            + " was in force when the call became ready");
    oracle.demand(policy.verdict() != VerdictKind.DENY, heldId, "a lease that policy denies");
    boolean loosened =
        policy.verdict() == VerdictKind.ALLOW && call.verdict == VerdictKind.REQUIRE_WITNESS;
    Contract contract = loosened ? call.contract : policy.contract();
    Digest digest = loosened ? call.contractDigest : policy.contractDigest();
    if (contract != null && digest != null) {
      oracle.demand(
          satisfied(call, contract, digest, policy.elsewhere(), lease.grantedAt()),
          heldId,
          "a lease without the evidence that " + policy.name() + " asks for");
    }
  }

  /** A ruling about a tool that is at another address by now leaves no evidence standing. */
  void ruled(ShadowCall call, HeldCallEvent.CallRuled event) {
    PolicyVariant before = world.policies().variant(call.ruledEpoch);
    PolicyVariant after = world.policies().variant(event.ruling().epoch());
    if (before != null
        && after != null
        && before.elsewhere().equals(call.tool) != after.elsewhere().equals(call.tool)) {
      call.stale.addAll(call.evidence.keySet());
    }
  }

  /** Whether all the evidence that was asked for last is there. */
  boolean witnessed(ShadowCall call, Instant at) {
    PolicyVariant policy = world.policies().variant(call.ruledEpoch);
    Contract contract = call.contract;
    Digest digest = call.contractDigest;
    return policy != null
        && (contract == null
            || digest == null
            || satisfied(call, contract, digest, policy.elsewhere(), at));
  }

  private boolean satisfied(
      ShadowCall call, Contract contract, Digest digest, String elsewhere, Instant at) {
    List<Vote> votes = new ArrayList<>();
    for (ShadowCall.Given each : call.evidence.values()) {
      if (counts(call, digest, elsewhere, at, each)) {
        votes.add(
            new Vote(
                each.attestation().attestationId(),
                each.witness(),
                each.attestation().witnessClass(),
                each.attestation().decision()));
      }
    }
    boolean vetoed =
        votes.stream()
            .anyMatch(
                each ->
                    each.decision() == AttestationDecision.DENY
                        && contract.veto().contains(each.witnessClass()));
    boolean distinct = contract.independence().contains(Independence.DISTINCT_IDENTITIES);
    return !vetoed
        && ReferenceEvaluator.value(
                RuleParser.parse(contract.rule()), distinct, votes, call.openFallbacks)
            == 'T';
  }

  private boolean counts(
      ShadowCall call, Digest digest, String elsewhere, Instant at, ShadowCall.Given given) {
    PolicyVariant then = world.policies().variant(given.epoch());
    boolean sameTool =
        then != null && then.elsewhere().equals(call.tool) == elsewhere.equals(call.tool);
    return sameTool
        && !call.revoked.contains(given.attestation().attestationId())
        && !call.stale.contains(given.attestation().attestationId())
        && given.attestation().generation() == call.generation
        && given.attestation().callDigest().equals(call.callDigest)
        && given.attestation().contractDigest().equals(digest)
        && at.isBefore(given.attestation().expiresAt())
        && !given.witness().equals(CoreFixtures.AGENT.ref())
        && !given.witness().equals(call.editor);
  }

  /** A proof that a lease had no effect must be true: nobody lies in this world. */
  void withoutEffect(String heldId, ShadowCall call, HeldCallEvent.LeaseEndedWithoutEffect event) {
    ShadowCall.Leased leased = call.leases.get(event.leaseId());
    oracle.demand(leased != null, heldId, "a proof about a lease that is not in the journal");
    if (leased != null && !world.scenario().wildClocks()) {
      oracle.demand(!leased.effect, heldId, "a proof of no effect, and there was one");
    }
  }

  /** A success must have happened. */
  void outcome(String heldId, ShadowCall call, HeldCallEvent.OutcomeRecorded event) {
    ShadowCall.Leased leased = call.leases.get(event.leaseId());
    oracle.demand(leased != null, heldId, "an outcome under a lease that is not in the journal");
    if (leased != null && event.succeeded()) {
      oracle.demand(
          world.tools().hasEffect(leased.lease), heldId, "a success, and there was no effect");
    }
    oracle.demand(!call.outcome, heldId, "a second outcome");
    oracle.demand(call.end == null, heldId, "an outcome after the end");
  }

  /** What is said of a dependency must be so. */
  void settled(String heldId, String dependency, DependencyState state) {
    ShadowCall other = oracle.call(dependency);
    oracle.demand(other.concluded, heldId, "a dependency settled that is not concluded");
    if (state == DependencyState.SATISFIED) {
      oracle.demand(
          other.succeeded && other.admitted && other.end == null,
          heldId,
          "a dependency counts as done that did not succeed, or is not admitted");
    }
  }

  /** An end before dispatch: nothing may be under way, and nothing may have happened. */
  void ended(String heldId, ShadowCall call) {
    oracle.demand(call.end == null && !call.outcome, heldId, "an end after the end");
    for (ShadowCall.Leased each : call.leases.values()) {
      oracle.demand(each.withoutEffect, heldId, "an end while a dispatch is under way or unknown");
    }
  }

  /** The effect happened. */
  void effect(Lease lease) {
    String heldId = lease.heldId();
    ShadowCall call = oracle.call(heldId);
    ShadowCall.@Nullable Leased leased = call.leases.get(lease.leaseId());
    oracle.demand(
        leased != null && leased.lease.equals(lease),
        heldId,
        "an effect whose lease is not in the journal: " + lease.token());
    int effects = call.effects.merge(lease.token().generation(), 1, Integer::sum);
    oracle.demand(effects == 1, heldId, "a second effect of one generation");
    if (leased != null) {
      leased.effect = true;
      if (!world.scenario().wildClocks()) {
        oracle.demand(!leased.withoutEffect, heldId, "an effect after a proof that there was none");
        oracle.demand(call.effects.size() == 1, heldId, "effects of two generations");
        oracle.demand(call.end == null, heldId, "an effect after the end");
      }
    }
  }
}
