package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.evidence.CallDocument;
import dev.heldcall.witness.evidence.HttpEndpoint;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells a service of requests by signed webhooks. The bodies are documented in
 * docs/guides/witness-webhook.md; their fields are only ever added to.
 */
public final class WebhookSender implements AutoCloseable {

  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY = 429;
  private static final int REQUEST_TIMEOUT = 408;

  private final ProviderContract contract;
  private final ProviderServices services;
  private final WebhookTarget target;
  private final HttpEndpoint endpoint;

  /** Sends to a service. */
  public WebhookSender(WebhookTarget target, ProviderContract contract, ProviderServices services) {
    this.target = target;
    this.contract = contract;
    this.services = services;
    this.endpoint = new HttpEndpoint(target.maxAtOnce(), contract, services);
  }

  /** What became of a message. */
  public sealed interface Sent {

    /** The service took it. */
    record Taken() implements Sent {}

    /**
     * It did not, or nobody knows.
     *
     * @param again whether the same may be taken later
     */
    record NotTaken(String why, boolean again) implements Sent {}
  }

  /** Somebody is asked. {@code webhook-id} is the request id, however often it is sent. */
  public CompletableFuture<Sent> requested(WitnessRequest request) {
    return send("witness.requested", request.requestId(), document(request));
  }

  /**
   * The same, of somebody whom it is assigned to.
   *
   * @param id what to send as {@code webhook-id}
   * @param assignedTo the group or person, or null for nobody in particular
   */
  public CompletableFuture<Sent> requested(
      WitnessRequest request, String id, @Nullable String assignedTo, List<String> people) {
    return send("witness.requested", id, assigned(request, assignedTo, people));
  }

  /** Somebody is reminded. */
  public CompletableFuture<Sent> reminder(WitnessRequest request) {
    return send("witness.reminder", reminderId(request), document(request));
  }

  /** The same, of somebody whom it is assigned to. */
  public CompletableFuture<Sent> reminder(
      WitnessRequest request, @Nullable String assignedTo, List<String> people) {
    return send("witness.reminder", reminderId(request), assigned(request, assignedTo, people));
  }

  /** A request is taken back. */
  public CompletableFuture<Sent> withdrawn(WitnessWithdrawal withdrawal) {
    return send(
        "witness.withdrawn",
        withdrawal.requestId() + ".withdrawn",
        JsonNodeFactory.instance
            .objectNode()
            .put("request_id", withdrawal.requestId())
            .put("held_id", withdrawal.heldId())
            .put("tool", withdrawal.tool())
            .put("reason", withdrawal.reason()));
  }

  /** Reminders of one request are told apart by when they are sent. */
  private String reminderId(WitnessRequest request) {
    return request.requestId() + ".reminder." + services.clock().instant().getEpochSecond();
  }

  private ObjectNode document(WitnessRequest request) {
    ObjectNode document = CallDocument.of(request);
    document.put("link", request.link());
    document.put("answer_to", "/witnesses/" + contract.id() + "/incoming");
    return document;
  }

  private ObjectNode assigned(WitnessRequest request, @Nullable String to, List<String> people) {
    ObjectNode document = CallDocument.of(request);
    document.put("link", request.link());
    ObjectNode assigned = document.putObject("assigned").put("to", to);
    people.forEach(assigned.putArray("people")::add);
    return document;
  }

  private CompletableFuture<Sent> send(String type, String id, ObjectNode data) {
    Instant now = services.clock().instant();
    ObjectNode message = JsonNodeFactory.instance.objectNode();
    message
        .put("type", type)
        .put("timestamp", now.truncatedTo(ChronoUnit.MILLIS).toString())
        .set("data", data);
    String body = message.toString();
    return endpoint
        .send(
            HttpRequest.newBuilder(target.url())
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(now.getEpochSecond()))
                .header("webhook-signature", target.keys().sign(id, now, body))
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)))
        .thenApply(WebhookSender::sent);
  }

  private static Sent sent(HttpEndpoint.Outcome outcome) {
    return switch (outcome) {
      case HttpEndpoint.Outcome.NotAnswered(String why) ->
          new Sent.NotTaken("the service cannot be told: " + why, true);
      case HttpEndpoint.Outcome.Answered(HttpResponse<byte[]> response) ->
          byStatus(response.statusCode());
    };
  }

  private static Sent byStatus(int status) {
    if (status >= 200 && status < 300) {
      return new Sent.Taken();
    }
    boolean again =
        status >= 500 || status == TOO_MANY || status == TOO_EARLY || status == REQUEST_TIMEOUT;
    return new Sent.NotTaken(
        status == 410
            ? "the service wants no more webhooks (410)"
            : "the service answered with the status " + status,
        again);
  }

  /**
   * A stage that fails if the same should be sent again, and succeeds otherwise: a service that
   * will never take it is not told for ever.
   */
  public static CompletableFuture<Void> settled(CompletableFuture<Sent> sent) {
    return sent.thenCompose(
        outcome ->
            outcome instanceof Sent.NotTaken(String why, boolean again) && again
                ? CompletableFuture.failedFuture(new IllegalStateException(why))
                : CompletableFuture.completedFuture(null));
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
