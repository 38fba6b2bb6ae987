package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.policy.PolicyDocument;
import dev.heldcall.kernel.policy.PolicyProblem;
import dev.heldcall.kernel.policybook.PolicySnapshot;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads policies and checks documents before they are proposed. */
final class PolicyRequests {

  private final NodePolicies policies;
  private final PrincipalRoster roster;

  PolicyRequests(NodePolicies policies, PrincipalRoster roster) {
    this.policies = policies;
    this.roster = roster;
  }

  CompletionStage<Reply<PolicyState>> read(Principal viewer, String org) {
    if (!viewer.org().equals(org)) {
      return CompletableFuture.completedFuture(
          new Reply.Refused<>(Rejection.of(Problem.NOT_FOUND, "no such policy")));
    }
    if (!viewer.has(Role.OPERATOR) && !viewer.has(Role.POLICY_OWNER)) {
      return CompletableFuture.completedFuture(
          new Reply.Refused<>(
              Rejection.of(
                  Problem.FORBIDDEN, "only an operator or a policy-owner reads the policy")));
    }
    return policies
        .snapshot(org)
        .handle(
            (snapshot, failure) ->
                failure == null
                    ? new Reply.Ok<>(
                        new PolicyState(
                            snapshot.epoch(),
                            snapshot.layers().policyVersion(),
                            snapshot.layers().floor(),
                            snapshot.document()))
                    : new Reply.Refused<>(
                        Rejection.of(
                            Problem.UNAVAILABLE, "the policy in force could not be read")));
  }

  /** What is wrong with a document for the organization, or null. */
  @Nullable Rejection documentProblem(String org, @Nullable JsonNode document) {
    if (document == null) {
      return null;
    }
    List<PolicyProblem> problems = new ArrayList<>();
    switch (PolicyDocument.parse(document, "organization")) {
      case PolicyDocument.Refused refused -> problems.addAll(refused.problems());
      case PolicyDocument.Loaded loaded ->
          problems.addAll(PolicyDocument.unsatisfiable(loaded.document(), roster.holders(org)));
    }
    if (problems.isEmpty()) {
      return null;
    }
    PolicyProblem first = problems.getFirst();
    return new Rejection(
        Problem.POLICY_DOCUMENT,
        "the document does not load: at '" + first.pointer() + "' " + first.message(),
        problems.stream()
            .map(each -> new Rejection.FieldError("/document" + each.pointer(), each.message()))
            .toList(),
        null);
  }

  Function<String, Collection<PrincipalRef>> roster(String org) {
    return roster.of(org);
  }

  /** A snapshot as a decision sees it. */
  static PolicyInForce inForce(PolicySnapshot snapshot, boolean fresh, PrincipalRoster roster) {
    return new PolicyInForce(
        snapshot.layers(),
        snapshot.epoch(),
        fresh,
        snapshot.floorAgreed(),
        roster::capabilities,
        roster.of(snapshot.org()),
        roster.keys());
  }
}
