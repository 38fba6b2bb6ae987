package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.Objects;

/** Puts a call before policy again, once that has moved on, and says whether its demand stands. */
final class Readjudicating {

  private Readjudicating() {}

  /**
   * Rules again if policy has moved on since the ruling, and writes down what that changes. After a
   * dispatch nothing is written (rule 7): a ruling that differs then only forbids a further lease.
   *
   * @return whether what the call is asked for still stands
   */
  static boolean ruleAgain(Draft draft, PolicyInForce policy) {
    HeldCallFacts facts = draft.facts();
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling before = facts.ruling();
    if (before == null || facts.lifecycle() != Lifecycle.OPEN) {
      return false;
    }
    Principal proposer = policy.asOfNow(spec.proposer());
    if (unchanged(before, policy, proposer, spec)) {
      return true;
    }
    boolean undispatched = facts.execution() == Execution.NONE;
    Rejection problem = Adjudicating.contentProblem(policy.layers(), spec.boundary(), generation);
    if (problem != null) {
      if (undispatched) {
        draft.addByKernel(meta -> new HeldCallEvent.CallDenied(meta, "policy", problem.detail()));
      }
      return false;
    }
    Ruling after =
        keepsWaiting(before, Adjudicating.rule(spec, generation, policy, proposer, draft.now()));
    boolean stands =
        Objects.equals(before.contractDigest(), after.contractDigest())
            && Objects.equals(before.toolDigest(), after.toolDigest());
    if (undispatched && (!stands || changed(before, after))) {
      Adjudicating.record(draft, after, stands);
    }
    return stands && before.verdict() == after.verdict();
  }

  private static boolean unchanged(
      Ruling before, PolicyInForce policy, Principal proposer, CallSpec spec) {
    return before.epoch() == policy.epoch()
        && before.policyVersion().equals(policy.layers().policyVersion())
        && proposer.capabilities().equals(spec.proposer().capabilities());
  }

  private static boolean changed(Ruling before, Ruling after) {
    return before.verdict() != after.verdict()
        || before.epoch() != after.epoch()
        || !before.policyVersion().equals(after.policyVersion());
  }

  /** Waiting never turns into allowing: a looser policy leaves a held call its contract. */
  private static Ruling keepsWaiting(Ruling before, Ruling after) {
    if (before.verdict() != VerdictKind.REQUIRE_WITNESS || after.verdict() != VerdictKind.ALLOW) {
      return after;
    }
    return new Ruling(
        after.generation(),
        before.verdict(),
        before.contract(),
        before.contractDigest(),
        before.reasons(),
        after.policyVersion(),
        after.epoch(),
        after.toolDigest(),
        after.traits(),
        after.at(),
        after.disclosure());
  }
}
