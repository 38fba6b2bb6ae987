package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.json.PolicyBody;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.PolicyState;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * {@code /policies/{org}}: the policy in force, and the proposal to replace the organization's
 * document, which is itself a governed call.
 */
public final class PoliciesResource implements Endpoint.Resource {

  private final HeldCalls calls;
  private final CallAnswers answers;

  /** Serves this kernel. */
  public PoliciesResource(HeldCalls calls, Statuses statuses) {
    this.calls = calls;
    this.answers = new CallAnswers(statuses);
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/policies/{org}", Access.of(Role.OPERATOR, Role.POLICY_OWNER), this::read),
        Endpoint.post(
            "/policies/{org}", Access.of(Role.POLICY_OWNER), Load.WAITING_WRITE, this::propose));
  }

  private CompletionStage<Answer> read(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Replies.render(
                calls.policy(exchange.principal(), exchange.variable("org")),
                null,
                state -> Answer.ok(policy(state))));
  }

  private static ObjectNode policy(PolicyState state) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("epoch", state.epoch());
    node.put("policy_version", state.policyVersion().value());
    node.set("floor", state.floor());
    node.set("document", state.document());
    return node;
  }

  private CompletionStage<Answer> propose(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                PolicyBody.read(exchange.body()),
                body ->
                    Exchange.with(
                        exchange.idempotencyKey(),
                        key ->
                            Replies.render(
                                calls.proposePolicy(
                                    exchange.principal(),
                                    exchange.variable("org"),
                                    body.callId(),
                                    body.baseEpoch(),
                                    body.document(),
                                    Duration.ZERO,
                                    key.value()),
                                null,
                                answers::standing))));
  }
}
