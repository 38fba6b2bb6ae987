package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.json.EditBody;
import dev.heldcall.gateway.json.ReasonBody;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code POST /held/{held_id}/cancel} and {@code /edit}: what may be done before the effect. */
public final class ChangesResource implements Endpoint.Resource {

  private final HeldCalls calls;
  private final CallAnswers answers;

  /** Serves this kernel. */
  public ChangesResource(HeldCalls calls, Statuses statuses) {
    this.calls = calls;
    this.answers = new CallAnswers(statuses);
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/held/{held_id}/cancel", Access.PRINCIPAL, Load.WRITE, this::cancel)
            .with(BodyRule.OPTIONAL),
        Endpoint.post("/held/{held_id}/edit", Access.PRINCIPAL, Load.WAITING_WRITE, this::edit));
  }

  private CompletionStage<Answer> cancel(Exchange exchange) {
    String heldId = exchange.heldId();
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ReasonBody.read(exchange.body()),
                body ->
                    Replies.render(
                        calls.cancel(exchange.principal(), heldId, body.reason()),
                        heldId,
                        view -> cancelled(view, heldId))));
  }

  private static Answer cancelled(CallView view, String heldId) {
    Lifecycle lifecycle = view.facts().lifecycle();
    return switch (lifecycle) {
      case CANCELLED -> {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("held_id", heldId);
        node.put("lifecycle", lifecycle.wireName());
        yield CallAnswers.tagged(Answer.ok(node), view);
      }
      case OPEN, EXPIRED, DENIED ->
          Replies.refused(
              Rejection.of(Problem.NOT_OPEN, "the call is " + lifecycle.wireName()), heldId);
    };
  }

  private CompletionStage<Answer> edit(Exchange exchange) {
    String heldId = exchange.heldId();
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                EditBody.read(exchange.body()),
                body ->
                    Replies.render(
                        calls.edit(
                            exchange.principal(),
                            heldId,
                            body.generation(),
                            body.tool(),
                            body.args(),
                            Duration.ZERO),
                        heldId,
                        answers::standing)));
  }
}
