package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.config.LimitSettings;
import dev.heldcall.gateway.json.ClaimBody;
import dev.heldcall.gateway.json.ClaimJson;
import dev.heldcall.gateway.json.ReasonBody;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.plugin.api.Role;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code /witness-requests}: the queue that witnesses may take their requests from. */
public final class WitnessRequestsResource implements Endpoint.Resource {

  private final HeldCalls calls;
  private final LimitSettings limits;

  /** Serves this kernel. */
  public WitnessRequestsResource(HeldCalls calls, LimitSettings limits) {
    this.calls = calls;
    this.limits = limits;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post(
            "/witness-requests/claim", Access.of(Role.WITNESS), Load.WAITING_WRITE, this::claim),
        Endpoint.post(
                "/witness-requests/{claim_id}/release",
                Access.of(Role.WITNESS),
                Load.WRITE,
                this::release)
            .with(BodyRule.OPTIONAL));
  }

  private CompletionStage<Answer> claim(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ClaimBody.read(exchange.body(), limits.maxWait()),
                body ->
                    Replies.render(
                        calls.claim(
                            exchange.principal(),
                            body.witnessClass(),
                            body.limit(),
                            body.lease(),
                            body.longest()),
                        null,
                        claimed ->
                            Answer.ok(ClaimJson.of(claimed)).with("Cache-Control", "no-store"))));
  }

  private CompletionStage<Answer> release(Exchange exchange) {
    String claimId = exchange.variable("claim_id");
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ReasonBody.readEmpty(exchange.body()),
                _ ->
                    Replies.render(
                        calls.release(exchange.principal(), claimId),
                        null,
                        released ->
                            Answer.ok(
                                JsonNodeFactory.instance
                                    .objectNode()
                                    .put("claim_id", released)
                                    .put("released", true)))));
  }
}
