package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallCommand.TakeLease;
import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides on leases: the last check before an effect (the effect protocol, steps 1 to 3). Whatever
 * makes a call ready, this is the only way to a dispatch.
 */
final class LeaseDecider {

  private LeaseDecider() {}

  /**
   * Whether a lease could be granted as far as the facts go: open, evidence there, everything
   * waited for done, attempts left, no wish to cancel, not expired, and either nothing dispatched
   * or, to an idempotent tool that still knows the key, dispatched without an outcome.
   */
  static boolean ready(HeldCallFacts facts, CallContext context, Instant now) {
    PolicyInForce policy = context.policy();
    Instant expiresAt = facts.expiresAt();
    if (!facts.proposed()
        || facts.lifecycle() != Lifecycle.OPEN
        || facts.lateEffect()
        || facts.cancelWish() != null
        || !facts.dependenciesDone()
        || (expiresAt != null && !now.isBefore(expiresAt))
        || facts.attempts() >= context.terms().maxAttempts()
        || now.isBefore(earliest(facts))
        || !EvidenceView.satisfied(facts, now, context.keys())) {
      return false;
    }
    return switch (facts.execution()) {
      case NONE -> true;
      case LEASED, EFFECT_RECORDED -> false;
      case OUTCOME_UNKNOWN -> policy != null && mayRepeat(facts, policy.layers(), context, now);
    };
  }

  /** A dispatch that was proven without effect, or is unknown, is not repeated at once. */
  static Instant earliest(HeldCallFacts facts) {
    LeaseRecord last = facts.lastLease();
    int attempts = facts.attempts();
    if (last == null || attempts == 0) {
      return Instant.EPOCH;
    }
    Duration pause = attempts == 1 ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
    return last.lease().grantedAt().plus(pause);
  }

  private static boolean mayRepeat(
      HeldCallFacts facts, PolicyLayers layers, CallContext context, Instant now) {
    ToolEntry tool = layers.tool(facts.requireGeneration().tool()).orElse(null);
    List<LeaseRecord> unknown = facts.unknownLeases();
    if (tool == null || !tool.idempotent() || unknown.isEmpty()) {
      return false;
    }
    Lease first = unknown.getFirst().lease();
    boolean readBackFirst =
        tool.readBackUrl() != null
            && unknown.stream()
                .noneMatch(each -> context.cannotTell().contains(each.lease().leaseId()));
    return !readBackFirst && LeaseRules.keyRetained(first, tool.keyRetention(), now);
  }

  static Decision grant(Draft draft) {
    PolicyInForce policy = draft.freshPolicy();
    if (!ready(draft.facts(), draft.context(), draft.now())) {
      return draft.stands();
    }
    if (policy == null) {
      return draft.answer(new Answer.FreshPolicyNeeded());
    }
    if (executorNow(draft, policy) != ExecutorKind.CLIENT
        && revalidate(draft, policy)
        && executorNow(draft, policy) != ExecutorKind.CLIENT) {
      PrincipalRef holder = draft.facts().requireSpec().proposer().ref();
      grantTo(draft, policy, executorNow(draft, policy), holder, null, null);
    }
    return draft.stands();
  }

  private static ExecutorKind executorNow(Draft draft, PolicyInForce policy) {
    HeldCallFacts facts = draft.facts();
    return Adjudicating.traits(policy.layers(), facts.requireSpec(), facts.requireGeneration())
        .executor();
  }

  static Decision take(Draft draft, TakeLease command) {
    HeldCallFacts facts = draft.facts();
    Rejection refused = mayTake(facts, command.by());
    if (refused != null) {
      return draft.refuse(refused);
    }
    Generation generation = facts.requireGeneration();
    Lease again = leasedBefore(facts, command);
    if (again != null) {
      return draft.answer(new Answer.Leased(again));
    }
    if (command.generation() != generation.number()) {
      return draft.refuse(
          Problem.STALE,
          "generation " + generation.number() + " stands, not " + command.generation());
    }
    if (facts.execution() == Execution.LEASED) {
      return draft.refuse(Problem.LEASED, "another worker has the lease");
    }
    PolicyInForce policy = draft.freshPolicy();
    if (policy == null) {
      return draft.answer(new Answer.FreshPolicyNeeded());
    }
    if (executorNow(draft, policy) != ExecutorKind.CLIENT) {
      return draft.refuse(Problem.NOT_READY, "the tool is not run by its client");
    }
    if (!ready(facts, draft.context(), draft.now()) || !revalidate(draft, policy)) {
      return draft.refuse(
          Problem.NOT_READY,
          "the call is not ready: "
              + String.join(
                  "; ", HeldCallStatus.of(draft.facts(), draft.now(), policy.roster()).explain()));
    }
    Lease lease =
        grantTo(
            draft,
            policy,
            ExecutorKind.CLIENT,
            command.by().ref(),
            command.worker(),
            command.requestKey());
    return draft.answer(new Answer.Leased(lease));
  }

  private static @Nullable Rejection mayTake(HeldCallFacts facts, Principal by) {
    Rejection missing = Access.toKnow(facts, by);
    if (missing != null) {
      return missing;
    }
    Principal proposer = facts.requireSpec().proposer();
    boolean worker = by.has(Role.WORKER) && by.project().equals(proposer.project());
    return worker || Access.isProposer(facts, by)
        ? null
        : Rejection.of(
            Problem.FORBIDDEN, "only the proposer or a worker of its project takes this lease");
  }

  private static @Nullable Lease leasedBefore(HeldCallFacts facts, TakeLease command) {
    if (command.requestKey() == null) {
      return null;
    }
    return facts.leases().stream()
        .map(LeaseRecord::lease)
        .filter(each -> command.requestKey().equals(each.requestKey()))
        .filter(each -> each.holder().equals(command.by().ref()))
        .filter(each -> each.token().generation() == command.generation())
        .findFirst()
        .orElse(null);
  }

  /**
   * Checks everything once more under the policy in force. What changed is written down; true means
   * that the lease may be granted now.
   */
  private static boolean revalidate(Draft draft, PolicyInForce policy) {
    if (!policy.floorAgreed()) {
      return false;
    }
    boolean demandStands = Readjudicating.ruleAgain(draft, policy);
    HeldCallFacts facts = draft.facts();
    if (!demandStands
        || facts.lifecycle() != Lifecycle.OPEN
        || !EvidenceView.satisfied(facts, draft.now(), policy.keys())) {
      return false;
    }
    Generation generation = facts.requireGeneration();
    if (generation.tool().equals(Adjudicating.POLICY_CHANGE)
        && facts.requireSpec().boundary() == Boundary.TOOL
        && facts.execution() == Execution.NONE
        && generation.args().path("base_epoch").asLong(-1) != policy.epoch()) {
      draft.addByKernel(
          meta ->
              new HeldCallEvent.CallDenied(
                  meta,
                  "policy",
                  "base_epoch "
                      + generation.args().path("base_epoch").asText()
                      + " is no longer current: the policy is at epoch "
                      + policy.epoch()));
      return false;
    }
    return true;
  }

  private static Lease grantTo(
      Draft draft,
      PolicyInForce policy,
      ExecutorKind executor,
      PrincipalRef holder,
      @Nullable String worker,
      @Nullable String requestKey) {
    HeldCallFacts facts = draft.facts();
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling ruling = Objects.requireNonNull(facts.ruling());
    FencingToken token = new FencingToken(generation.number(), facts.attempts() + 1);
    LeaseRules.Terms terms = draft.context().terms();
    Instant now = draft.now();
    Instant deadline = now.plus(Adjudicating.timeout(policy.layers(), spec, generation));
    Lease lease =
        new Lease(
            "ls_" + spec.heldId().substring(3) + "." + token,
            spec.heldId(),
            token,
            executor,
            holder,
            worker,
            requestKey,
            generation.callDigest(),
            spec.pluginSetDigest(),
            policy.layers().policyVersion(),
            policy.epoch(),
            ruling.toolDigest(),
            LeaseRules.idempotencyKey(spec.heldId(), generation.number()),
            now,
            deadline,
            deadline.plus(terms.settle()),
            firstDispatch(facts, generation.number(), now));
    draft.addByKernel(meta -> new HeldCallEvent.LeaseGranted(meta, lease));
    return lease;
  }

  private static Instant firstDispatch(HeldCallFacts facts, int generation, Instant now) {
    return facts.leases().stream()
        .map(LeaseRecord::lease)
        .filter(each -> each.token().generation() == generation)
        .map(Lease::grantedAt)
        .findFirst()
        .orElse(now);
  }

  /** Whether every permitted dispatch was proven without effect: the call ends unexecuted. */
  static boolean exhausted(HeldCallFacts facts, CallContext context) {
    return facts.undecided() && facts.attempts() >= context.terms().maxAttempts();
  }

  static Decision giveUp(Draft draft) {
    if (exhausted(draft.facts(), draft.context())) {
      LeaseRecord last = Objects.requireNonNull(draft.facts().lastLease());
      draft.addByKernel(
          meta ->
              new HeldCallEvent.CallDenied(
                  meta,
                  EventMeta.KERNEL,
                  draft.facts().attempts()
                      + " dispatches were proven to have had no effect; the last one: "
                      + last.note()));
    }
    return draft.stands();
  }
}
