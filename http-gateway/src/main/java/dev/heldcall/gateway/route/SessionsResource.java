package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.LimitSettings;
import dev.heldcall.gateway.json.QueryReader;
import dev.heldcall.gateway.json.ReasonBody;
import dev.heldcall.kernel.api.DeliveryItem;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.SessionView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** {@code /sessions/{session_id}}: what its calls wait for, and the mailbox of conclusions. */
public final class SessionsResource implements Endpoint.Resource {

  private static final int DEFAULT_DELIVERIES = 200;

  private final HeldCalls calls;
  private final LimitSettings limits;

  private record Page(long after, Duration longest, int limit) {}

  /** Serves this kernel. */
  public SessionsResource(HeldCalls calls, LimitSettings limits) {
    this.calls = calls;
    this.limits = limits;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/sessions/{session_id}", Access.PRINCIPAL, this::session),
        Endpoint.get("/sessions/{session_id}/deliveries", Access.PRINCIPAL, this::deliveries),
        Endpoint.post(
                "/sessions/{session_id}/deliveries/{delivery_id}/ack",
                Access.PRINCIPAL,
                Load.WRITE,
                this::acknowledge)
            .with(BodyRule.OPTIONAL));
  }

  private CompletionStage<Answer> session(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Replies.render(
                calls.session(exchange.principal(), exchange.variable("session_id")),
                null,
                view -> Answer.ok(session(view))));
  }

  private static ObjectNode session(SessionView view) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("session_id", view.sessionId());
    node.put("agent_paused", view.agentPaused());
    node.putArray("calls").addAll(view.calls());
    return node;
  }

  private CompletionStage<Answer> deliveries(Exchange exchange) {
    QueryReader in = exchange.query();
    long after = in.integer("after", 0, Long.MAX_VALUE, 0);
    Duration wait = in.wait(limits.maxWait());
    int most = limits.maxListItems();
    int limit = (int) in.integer("limit", 1, most, Math.min(DEFAULT_DELIVERIES, most));
    return Exchange.with(
        in.finish(() -> new Page(after, wait, limit)),
        page ->
            Replies.render(
                calls.deliveries(
                    exchange.principal(),
                    exchange.variable("session_id"),
                    page.after,
                    page.longest,
                    page.limit),
                null,
                items -> Answer.ok(deliveries(items)).with("Cache-Control", "no-store")));
  }

  private static ObjectNode deliveries(List<DeliveryItem> items) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode list = node.putArray("items");
    for (DeliveryItem item : items) {
      ObjectNode shown = list.addObject();
      shown.put("seq", item.seq());
      if (item.body() instanceof ObjectNode body) {
        shown.setAll(body);
      }
      shown.put("acknowledged", item.acknowledged());
    }
    return node;
  }

  private CompletionStage<Answer> acknowledge(Exchange exchange) {
    String deliveryId = exchange.variable("delivery_id");
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ReasonBody.readEmpty(exchange.body()),
                _ ->
                    Replies.render(
                        calls.acknowledge(
                            exchange.principal(), exchange.variable("session_id"), deliveryId),
                        null,
                        view ->
                            Answer.ok(
                                JsonNodeFactory.instance
                                    .objectNode()
                                    .put("delivery_id", deliveryId)
                                    .put("held_id", view.facts().requireSpec().heldId())
                                    .put("acknowledged", true)))));
  }
}
