package dev.heldcall.kernel.call;

import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which the kernel may act by itself. The reconciler finds work by them, and
 * the decider checks them again before anything is written.
 */
public final class Enabling {

  private Enabling() {}

  /** A wish to cancel stands and nothing is dispatched any more. */
  public static boolean cancelWish(HeldCallFacts facts) {
    return facts.undecided() && facts.cancelWish() != null;
  }

  /** An undecided call's time has run out. */
  public static boolean expiry(HeldCallFacts facts, Instant now) {
    return EndingDecider.expired(facts, now);
  }

  /** A call that this one depends on did not succeed. */
  public static boolean refusedDependency(HeldCallFacts facts) {
    return facts.undecided() && facts.dependencies().containsValue(DependencyState.REFUSED);
  }

  /** Attestations of an undecided call whose time has run out. */
  public static List<String> expiredAttestations(HeldCallFacts facts, Instant now) {
    if (!facts.undecided()) {
      return List.of();
    }
    return facts.evidence().values().stream()
        .filter(each -> each.state() == EvidenceState.VALID)
        .filter(each -> !now.isBefore(each.attestation().expiresAt()))
        .map(each -> each.attestation().attestationId())
        .toList();
  }

  /** Attestations of an undecided call that were signed with a key that is revoked by now. */
  public static List<String> evidenceOfRevokedKeys(HeldCallFacts facts, CallContext context) {
    return facts.undecided() ? signedWith(facts, context, KeyStanding.REVOKED) : List.of();
  }

  /**
   * Attestations of an undecided call of whose key nothing is known now: no lease rests on them.
   */
  public static List<String> evidenceOfUnknownKeys(HeldCallFacts facts, CallContext context) {
    return facts.undecided() ? signedWith(facts, context, KeyStanding.UNKNOWN) : List.of();
  }

  private static List<String> signedWith(
      HeldCallFacts facts, CallContext context, KeyStanding standing) {
    return facts.evidence().values().stream()
        .filter(each -> each.state() == EvidenceState.VALID)
        .filter(each -> EvidenceView.keyOf(each, context.keys()) == standing)
        .map(each -> each.attestation().attestationId())
        .toList();
  }

  /** Fallbacks of an undecided call whose time has come, by preorder index. */
  public static List<Integer> dueFallbacks(HeldCallFacts facts, Instant now) {
    if (!facts.undecided()) {
      return List.of();
    }
    return EvidenceView.fallbacksDue(facts).stream()
        .filter(each -> !now.isBefore(each.at()))
        .map(EvidenceView.FallbackDue::index)
        .toList();
  }

  /** The rule is refuted and the contract makes that the end. */
  public static boolean refuted(HeldCallFacts facts, Instant now) {
    return EndingDecider.endsRefuted(facts, now);
  }

  /** No attempt is left, and every one was proven without effect. */
  public static boolean exhausted(HeldCallFacts facts, CallContext context) {
    return LeaseDecider.exhausted(facts, context);
  }

  /** The lease under way of which nobody will report in time, or null. */
  public static @Nullable Lease lostLease(HeldCallFacts facts, CallContext context, Instant now) {
    LeaseRecord last = facts.lastLease();
    return last != null
            && facts.outcome() == null
            && last.state() == LeaseState.DISPATCHED
            && EffectDecider.lost(last.lease(), context, now)
        ? last.lease()
        : null;
  }

  /** Policy was read for this command and is another than the one that ruled. */
  public static boolean otherPolicy(HeldCallFacts facts, CallContext context) {
    PolicyInForce policy = context.freshPolicy(facts);
    Ruling ruling = facts.ruling();
    return policy != null
        && ruling != null
        && facts.undecided()
        && (ruling.epoch() != policy.epoch()
            || !ruling.policyVersion().equals(policy.layers().policyVersion()));
  }

  /**
   * Nested calls that must not go on: those of a call that ended without running, and those that
   * serve a generation which no longer stands.
   */
  public static List<String> childrenToEnd(HeldCallFacts facts) {
    if (!facts.proposed() || (facts.lifecycle() == Lifecycle.OPEN && !facts.undecided())) {
      return List.of();
    }
    boolean ended = facts.lifecycle() != Lifecycle.OPEN;
    Instant since = facts.requireGeneration().since();
    return facts.children().entrySet().stream()
        .filter(each -> !facts.settledChildren().contains(each.getKey()))
        .filter(each -> ended || each.getValue().isBefore(since))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The kernel itself can take the next lease, as far as the facts go. */
  public static boolean lease(HeldCallFacts facts, CallContext context, Instant now) {
    Ruling ruling = facts.ruling();
    return ruling != null
        && ruling.traits().executor() != ExecutorKind.CLIENT
        && LeaseDecider.ready(facts, context, now);
  }

  /**
   * When time next enables something, or null if it never does by itself. It is a hint for whoever
   * wakes the call; the call decides with its own time.
   */
  public static @Nullable Instant nextDue(HeldCallFacts facts) {
    if (!childrenToEnd(facts).isEmpty()) {
      return facts.lastEventAt();
    }
    if (!facts.proposed() || facts.concluded()) {
      return null;
    }
    List<Instant> due = new ArrayList<>();
    LeaseRecord last = facts.lastLease();
    switch (facts.execution()) {
      case NONE -> undecidedDue(facts, due);
      case LEASED -> {
        if (last != null) {
          boolean client = last.lease().executor() == ExecutorKind.CLIENT;
          due.add(client ? last.lease().deadline() : last.lease().grantedAt());
        }
      }
      case OUTCOME_UNKNOWN -> {
        Ruling ruling = facts.ruling();
        if (ruling != null && (ruling.traits().readBack() || ruling.traits().idempotent())) {
          due.add(facts.lastEventAt());
        }
      }
      case EFFECT_RECORDED -> due.add(facts.lastEventAt());
    }
    return due.stream().min(Instant::compareTo).orElse(null);
  }

  private static void undecidedDue(HeldCallFacts facts, List<Instant> due) {
    Instant expiresAt = facts.expiresAt();
    if (expiresAt != null) {
      due.add(expiresAt);
    }
    for (Evidence each : facts.evidence().values()) {
      if (each.state() == EvidenceState.VALID) {
        due.add(each.attestation().expiresAt());
      }
    }
    EvidenceView.fallbacksDue(facts).forEach(each -> due.add(each.at()));
    if (facts.dependencies().containsValue(DependencyState.PENDING)
        || !facts.settledChildren().containsAll(facts.children().keySet())) {
      due.add(facts.lastEventAt());
    }
    Ruling ruling = facts.ruling();
    if (ruling != null
        && ruling.traits().executor() != ExecutorKind.CLIENT
        && facts.dependenciesDone()
        && EvidenceView.satisfied(facts, facts.lastEventAt())) {
      Instant earliest = LeaseDecider.earliest(facts);
      due.add(earliest.isBefore(facts.lastEventAt()) ? facts.lastEventAt() : earliest);
    }
  }
}
