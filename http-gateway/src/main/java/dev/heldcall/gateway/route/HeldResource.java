package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.LimitSettings;
import dev.heldcall.gateway.json.CallJson;
import dev.heldcall.gateway.json.QueryReader;
import dev.heldcall.gateway.json.ReceiptJson;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.HistoryPage;
import dev.heldcall.kernel.api.InboxPage;
import dev.heldcall.kernel.api.InboxQuery;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code GET /held}, {@code /held/{held_id}} its history and its receipt. */
public final class HeldResource implements Endpoint.Resource {

  private static final List<String> STATES = List.of("waiting", "ready", "unknown", "ended", "all");
  private static final int DEFAULT_HISTORY = 200;

  private final HeldCalls calls;
  private final LimitSettings limits;
  private final CallJson json;

  private record Since(Duration longest, @Nullable Long sequence) {}

  private record Page(long after, int limit) {}

  /** Serves this kernel. */
  public HeldResource(HeldCalls calls, LimitSettings limits, Statuses statuses) {
    this.calls = calls;
    this.limits = limits;
    this.json = new CallJson(statuses, limits.maxEvidenceItems());
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/held", Access.PRINCIPAL, this::list),
        Endpoint.get("/held/{held_id}", Access.PRINCIPAL, this::read),
        Endpoint.get("/held/{held_id}/history", Access.PRINCIPAL, this::history),
        Endpoint.get(
            "/held/{held_id}/receipt",
            Access.PRINCIPAL,
            exchange -> exchange.withoutQuery(this::receipt)));
  }

  private CompletionStage<Answer> list(Exchange exchange) {
    QueryReader in = exchange.query();
    String state = in.word("state", STATES, "waiting");
    String witnessClass = in.text("class");
    String sessionId = in.text("session_id");
    String tool = in.text("tool");
    String cursor = in.text("cursor");
    int limit = (int) in.integer("limit", 1, limits.maxListItems(), limits.defaultListItems());
    return Exchange.with(
        in.finish(
            () ->
                new InboxQuery(
                    InboxQuery.State.valueOf(state.toUpperCase(Locale.ROOT)),
                    witnessClass,
                    sessionId,
                    tool,
                    cursor,
                    limit)),
        query ->
            Replies.render(
                calls.inbox(exchange.principal(), query), null, page -> Answer.ok(page(page))));
  }

  private static ObjectNode page(InboxPage page) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.putArray("items").addAll(page.items());
    node.put("next_cursor", page.nextCursor());
    return node;
  }

  private CompletionStage<Answer> read(Exchange exchange) {
    QueryReader in = exchange.query();
    Duration wait = in.wait(limits.maxWait());
    Long since = in.sequence("since");
    return Exchange.with(
        in.finish(() -> new Since(wait, since)),
        asked ->
            Replies.render(
                calls.read(exchange.principal(), exchange.heldId(), asked.longest, asked.sequence),
                exchange.heldId(),
                view ->
                    CallAnswers.tagged(Answer.ok(json.of(view, exchange.principal())), view)
                        .with("Cache-Control", "no-store")));
  }

  private CompletionStage<Answer> receipt(Exchange exchange) {
    return Replies.render(
        calls.read(exchange.principal(), exchange.heldId(), Duration.ZERO, null),
        exchange.heldId(),
        view ->
            CallAnswers.tagged(Answer.ok(ReceiptJson.of(view.facts())), view)
                .with("Cache-Control", "no-store"));
  }

  private CompletionStage<Answer> history(Exchange exchange) {
    QueryReader in = exchange.query();
    long after = in.integer("after", 0, Long.MAX_VALUE, 0);
    int most = limits.maxHistoryItems();
    int limit = (int) in.integer("limit", 1, most, Math.min(DEFAULT_HISTORY, most));
    return Exchange.with(
        in.finish(() -> new Page(after, limit)),
        page ->
            Replies.render(
                calls.history(exchange.principal(), exchange.heldId(), page.after, page.limit),
                exchange.heldId(),
                found -> Answer.ok(history(found))));
  }

  private static ObjectNode history(HistoryPage page) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.putArray("items").addAll(page.items());
    node.put("left_out", page.leftOut());
    return node;
  }
}
