package dev.heldcall.kernel.call;

import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.ExplainContext;
import dev.heldcall.kernel.witness.RuleExplainer;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a call, derived from its facts; nothing is decided by it.
 *
 * @param readiness what the rule says of the evidence
 * @param ruleExpression the rule's text, or null if nothing is asked for
 * @param ruleValue true, false or unknown
 * @param execution how far the effect is
 * @param phase a single word
 * @param explain what the call waits for, or how it ended
 */
public record HeldCallStatus(
    Readiness readiness,
    @Nullable String ruleExpression,
    String ruleValue,
    Execution execution,
    Phase phase,
    List<String> explain) {

  public HeldCallStatus {
    explain = List.copyOf(explain);
  }

  /**
   * Derives it.
   *
   * @param roster who could attest under a class, without those who are known not to be
   *     independent; null where that is not known, and then nothing is said of it
   */
  public static HeldCallStatus of(
      HeldCallFacts facts,
      Instant nodeClock,
      @Nullable Function<String, Collection<PrincipalRef>> roster) {
    Instant now = facts.now(nodeClock);
    Readiness readiness = EvidenceView.readiness(facts, now);
    Contract contract = EvidenceView.contract(facts);
    return new HeldCallStatus(
        readiness,
        contract == null ? null : contract.rule(),
        EvidenceView.value(facts, now).wireName(),
        facts.execution(),
        phase(facts, readiness),
        explain(facts, readiness, now, roster));
  }

  private static Phase phase(HeldCallFacts facts, Readiness readiness) {
    if (facts.lifecycle() != Lifecycle.OPEN) {
      return Phase.TERMINAL_NO_EFFECT;
    }
    return switch (facts.execution()) {
      case EFFECT_RECORDED -> {
        if (facts.admission() == Admission.PENDING) {
          yield Phase.EFFECT_RECORDED;
        }
        yield facts.delivery() == Delivery.PENDING ? Phase.DELIVERY_PENDING : Phase.DELIVERED;
      }
      case OUTCOME_UNKNOWN -> Phase.OUTCOME_UNKNOWN;
      case LEASED -> Phase.LEASED;
      case NONE -> {
        if (readiness != Readiness.SATISFIED) {
          yield Phase.HELD;
        }
        if (facts.dependenciesDone()) {
          yield Phase.READY_FOR_LEASE;
        }
        yield EvidenceView.contract(facts) == null ? Phase.PROPOSED : Phase.HELD;
      }
    };
  }

  private static List<String> explain(
      HeldCallFacts facts,
      Readiness readiness,
      Instant now,
      @Nullable Function<String, Collection<PrincipalRef>> roster) {
    CallEnd end = facts.end();
    if (facts.lifecycle() != Lifecycle.OPEN && end != null) {
      String reason = end.reason() == null ? "" : ": " + end.reason();
      return List.of(facts.lifecycle().wireName() + " by " + end.by() + reason);
    }
    return switch (facts.execution()) {
      case EFFECT_RECORDED ->
          List.of(
              facts.delivery() == Delivery.ACKNOWLEDGED
                  ? "done: the session has acknowledged the result"
                  : "waiting for: the session's acknowledgement");
      case OUTCOME_UNKNOWN -> unknown(facts, now);
      case LEASED -> {
        Lease lease = Objects.requireNonNull(facts.lastLease()).lease();
        yield List.of("running under lease " + lease.token() + " until " + lease.deadline());
      }
      case NONE -> waiting(facts, readiness, now, roster);
    };
  }

  private static List<String> unknown(HeldCallFacts facts, Instant now) {
    List<String> lines = new ArrayList<>();
    for (LeaseRecord each : facts.unknownLeases()) {
      lines.add("outcome of lease " + each.lease().token() + " unknown: " + each.note());
      if (now.isBefore(each.lease().settlesAt())) {
        lines.add("a proof of no effect counts from " + each.lease().settlesAt() + " on");
      }
    }
    if (facts.lateEffect()) {
      lines.add("an effect was reported under a lease that counted as without effect");
    }
    Ruling ruling = facts.ruling();
    if (ruling != null && !facts.unknownLeases().isEmpty()) {
      boolean client = ruling.traits().executor() == ExecutorKind.CLIENT;
      if (ruling.traits().readBack()) {
        lines.add("waiting for: the tool's read-back");
      }
      if (client) {
        lines.add("waiting for: the report of the worker that had the lease");
      }
      if (ruling.traits().idempotent() && mayRepeat(facts, now)) {
        lines.add(
            (client ? "a worker can take the lease again" : "the same dispatch is sent again")
                + " while attempts are left and the tool knows the key");
      }
    }
    lines.add("an operator can resolve it");
    return lines;
  }

  /** As far as the facts go; attempts and the time that keys are known are the lease's to judge. */
  private static boolean mayRepeat(HeldCallFacts facts, Instant now) {
    Instant expiresAt = facts.expiresAt();
    return facts.cancelWish() == null
        && !facts.lateEffect()
        && (expiresAt == null || now.isBefore(expiresAt))
        && EvidenceView.satisfied(facts, now);
  }

  private static List<String> waiting(
      HeldCallFacts facts,
      Readiness readiness,
      Instant now,
      @Nullable Function<String, Collection<PrincipalRef>> roster) {
    List<String> lines = new ArrayList<>();
    if (readiness != Readiness.SATISFIED) {
      lines.addAll(witnesses(facts, now, roster));
    }
    if (readiness == Readiness.STALE) {
      lines.add(
          "stale: policy, contract, tool or an upstream call changed after evidence was given");
    }
    for (Map.Entry<String, DependencyState> each : facts.dependencies().entrySet()) {
      if (each.getValue() != DependencyState.SATISFIED) {
        lines.add("waiting for: " + each.getKey() + " (dependency)");
      }
    }
    for (String child : facts.children().keySet()) {
      if (!facts.settledChildren().contains(child)) {
        lines.add("waiting for: " + child + " (nested call)");
      }
    }
    if (lines.isEmpty()) {
      lines.add(ready(facts));
    }
    if (readiness == Readiness.SATISFIED) {
      lines.addAll(witnesses(facts, now, roster));
    }
    return lines;
  }

  private static String ready(HeldCallFacts facts) {
    Ruling ruling = facts.ruling();
    if (ruling != null && ruling.traits().executor() == ExecutorKind.CLIENT) {
      return "waiting for: a worker to take the lease";
    }
    LeaseRecord last = facts.lastLease();
    boolean signed =
        facts.evidence().values().stream()
            .anyMatch(each -> each.state() == EvidenceState.VALID && each.signedBy() != null);
    return last == null
        ? "waiting for: the check before the lease; the policy "
            + (signed ? "or the keys of who signed " : "")
            + "could not be read yet"
        : "waiting for: the next attempt; the last one had no effect: " + last.note();
  }

  private static List<String> witnesses(
      HeldCallFacts facts,
      Instant now,
      @Nullable Function<String, Collection<PrincipalRef>> roster) {
    Contract contract = EvidenceView.contract(facts);
    WitnessRule rule = EvidenceView.rule(facts);
    if (contract == null || rule == null) {
      return List.of();
    }
    Instant started = facts.holdStarted();
    return RuleExplainer.explain(
        rule,
        contract.veto(),
        EvidenceView.distinctIdentities(facts),
        EvidenceView.votes(facts, now),
        facts.openFallbacks(),
        new ExplainContext(
            started == null ? now : started,
            facts.expiresAt(),
            contract.onRefuted() == OnRefuted.HOLD,
            roster == null
                ? null
                : witnessClass ->
                    roster.apply(witnessClass).stream()
                        .filter(each -> !onProposersSide(facts, each))
                        .toList()));
  }

  /** As far as names tell: the proposer, whom it acts for, and who made this generation. */
  private static boolean onProposersSide(HeldCallFacts facts, PrincipalRef identity) {
    Principal proposer = facts.requireSpec().proposer();
    return identity.equals(proposer.ref())
        || identity.equals(facts.requireGeneration().editor())
        || identity.equals(
            new PrincipalRef(
                proposer.org(), proposer.project(), String.valueOf(proposer.onBehalfOf())));
  }
}
