package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what with a call. A call of another organization does not exist for a principal; one
 * of its own that it has no part in is forbidden.
 */
public final class Access {

  private Access() {}

  /** Why the principal may not see the call, or null if it may. */
  public static @Nullable Rejection toSee(HeldCallFacts facts, Principal viewer) {
    Rejection missing = toKnow(facts, viewer);
    if (missing != null) {
      return missing;
    }
    if (isProposer(facts, viewer) || viewer.has(Role.OPERATOR) || isEligible(facts, viewer)) {
      return null;
    }
    return Rejection.of(
        Problem.FORBIDDEN, "only the proposer, eligible witnesses and operators see this call");
  }

  /** Why the call does not exist for the principal, or null if it does. */
  static @Nullable Rejection toKnow(HeldCallFacts facts, Principal viewer) {
    CallSpec spec = facts.spec();
    if (spec == null || !spec.proposer().org().equals(viewer.org())) {
      return Rejection.of(Problem.NOT_FOUND, "no such call");
    }
    return null;
  }

  /** Why only the proposer may, or null if this is it. */
  static @Nullable Rejection proposerOnly(HeldCallFacts facts, Principal by) {
    Rejection missing = toKnow(facts, by);
    if (missing != null) {
      return missing;
    }
    return isProposer(facts, by)
        ? null
        : Rejection.of(Problem.FORBIDDEN, "only the proposer of the call may do this");
  }

  /** Why neither proposer nor operator, or null if it is one of them. */
  static @Nullable Rejection proposerOrOperator(HeldCallFacts facts, Principal by) {
    Rejection missing = toKnow(facts, by);
    if (missing != null) {
      return missing;
    }
    return isProposer(facts, by) || by.has(Role.OPERATOR)
        ? null
        : Rejection.of(Problem.FORBIDDEN, "only the proposer or an operator may do this");
  }

  /** Whether this is who proposed the call. */
  public static boolean isProposer(HeldCallFacts facts, Principal principal) {
    return facts.requireSpec().proposer().ref().equals(principal.ref());
  }

  /** Whether the principal is the proposer, its delegate, or whom it is a delegate of. */
  static boolean isProposersSide(HeldCallFacts facts, Principal principal) {
    Principal proposer = facts.requireSpec().proposer();
    PrincipalRef self = principal.ref();
    return proposer.ref().equals(self)
        || delegates(principal, proposer)
        || delegates(proposer, principal);
  }

  private static boolean delegates(Principal delegate, Principal of) {
    return of.id().equals(delegate.onBehalfOf())
        && of.org().equals(delegate.org())
        && of.project().equals(delegate.project());
  }

  /** Whether the principal is a witness of a class that the call asks for, or has attested. */
  public static boolean isEligible(HeldCallFacts facts, Principal principal) {
    if (!principal.has(Role.WITNESS)) {
      return false;
    }
    if (facts.evidence().values().stream()
        .anyMatch(each -> each.witness().equals(principal.ref()))) {
      return true;
    }
    Contract contract = EvidenceView.contract(facts);
    WitnessRule rule = EvidenceView.rule(facts);
    if (contract == null || rule == null) {
      return false;
    }
    Set<String> asked = new HashSet<>(dev.heldcall.kernel.witness.RuleShape.classes(rule));
    asked.addAll(contract.veto());
    return principal.witnessClasses().stream().anyMatch(asked::contains);
  }
}
