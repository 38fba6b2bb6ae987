package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.json.LeaseBody;
import dev.heldcall.gateway.json.OutcomeBody;
import dev.heldcall.gateway.json.ResolutionBody;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.gateway.json.Timestamps;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.LeaseGrant;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.OutcomeJson;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /held/{held_id}/lease}, {@code /outcome} and {@code /resolution}: effects that others
 * than the kernel make, and outcomes that only an operator knows.
 */
public final class ExecutionResource implements Endpoint.Resource {

  private final HeldCalls calls;
  private final Statuses statuses;

  /** Serves this kernel. */
  public ExecutionResource(HeldCalls calls, Statuses statuses) {
    this.calls = calls;
    this.statuses = statuses;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/held/{held_id}/lease", Access.PRINCIPAL, Load.WRITE, this::lease),
        Endpoint.post("/held/{held_id}/outcome", Access.PRINCIPAL, Load.WRITE, this::outcome),
        Endpoint.post(
            "/held/{held_id}/resolution", Access.PRINCIPAL, Load.WRITE, this::resolution));
  }

  private CompletionStage<Answer> lease(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                LeaseBody.read(exchange.body()),
                body ->
                    Exchange.with(
                        exchange.idempotencyKey(),
                        key ->
                            Replies.render(
                                calls.lease(
                                    exchange.principal(),
                                    exchange.heldId(),
                                    body.generation(),
                                    body.worker(),
                                    key.value()),
                                exchange.heldId(),
                                ExecutionResource::granted))));
  }

  private static Answer granted(LeaseGrant grant) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", grant.lease().heldId());
    node.put("lease_id", grant.lease().leaseId());
    node.put("fencing_token", grant.lease().token().toString());
    node.put("idempotency_key", grant.lease().idempotencyKey());
    node.put("permit", grant.permit());
    node.put("deadline", Timestamps.text(grant.lease().deadline()));
    return Answer.ok(node).with("Cache-Control", "no-store");
  }

  private CompletionStage<Answer> outcome(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                OutcomeBody.read(exchange.body()),
                body ->
                    Replies.render(
                        calls.outcome(
                            exchange.principal(),
                            exchange.heldId(),
                            body.leaseId(),
                            body.outcome() == OutcomeBody.Outcome.SUCCEEDED,
                            body.content()),
                        exchange.heldId(),
                        this::recorded)));
  }

  private CompletionStage<Answer> resolution(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ResolutionBody.read(exchange.body()),
                body ->
                    Replies.render(
                        calls.resolve(
                            exchange.principal(),
                            exchange.heldId(),
                            body.finding() == ResolutionBody.Finding.EFFECT,
                            body.content(),
                            body.evidence()),
                        exchange.heldId(),
                        this::recorded)));
  }

  /** What is on record now; the result itself is for those who may read the call. */
  private Answer recorded(CallView view) {
    HeldCallFacts facts = view.facts();
    HeldCallStatus status = statuses.of(view);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", facts.requireSpec().heldId());
    node.put("lifecycle", facts.lifecycle().wireName());
    node.put("execution", status.execution().wireName());
    node.put("result_admission", facts.admission().wireName());
    node.put("phase", status.phase().wireName());
    node.put("delivery_id", facts.concluded() ? OutcomeJson.deliveryId(facts) : null);
    return CallAnswers.tagged(Answer.ok(node), view);
  }
}
