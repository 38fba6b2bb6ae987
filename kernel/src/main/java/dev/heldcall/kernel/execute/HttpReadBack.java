package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ToolEntry;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks an HTTP tool what came of a dispatch: {@code GET} of the entry's read-back URL. 200 is the
 * effect with its representation, 404 is no effect, and everything else cannot tell: another
 * status, no connection, no answer in time, a body that broke off (asking again may bring it
 * whole). It carries {@code Heldcall-Id} and no permit, because it releases nothing.
 */
public final class HttpReadBack {

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final ToolClient client;
  private final Duration timeout;

  /**
   * A reader.
   *
   * @param client sends each request on a connection of its own
   * @param timeout how long one question may take, answer included
   */
  public HttpReadBack(ToolClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /** Asks once. The stage never fails. */
  public CompletionStage<ReadBackReport> ask(ToolEntry tool, Lease lease) {
    String template = tool.readBackUrl();
    if (template == null) {
      return CompletableFuture.completedStage(
          new ReadBackReport.CannotTell("the tool has no read-back"));
    }
    ToolAddress address;
    try {
      address = ToolAddress.of(filled(template, lease));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(
          new ReadBackReport.CannotTell("the read-back's url cannot be used"));
    }
    ToolRequest request =
        ToolRequest.withoutBody(
            "GET", List.of(new ToolRequest.Header("Heldcall-Id", lease.heldId())));
    return client
        .exchange(address, request, new ToolClient.Bounds(timeout, timeout), () -> null)
        .thenApply(HttpReadBack::classified);
  }

  private static String filled(String template, Lease lease) {
    return template
        .replace("{idempotency_key}", percentEncoded(lease.idempotencyKey()))
        .replace("{held_id}", percentEncoded(lease.heldId()));
  }

  private static String percentEncoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private static ReadBackReport classified(Exchange exchange) {
    return switch (exchange) {
      case Exchange.NotSent notSent -> new ReadBackReport.CannotTell(notSent.reason());
      case Exchange.Broken broken -> new ReadBackReport.CannotTell(broken.reason());
      case Exchange.Answer answer ->
          switch (answer.status()) {
            case OK -> effect(answer);
            case NOT_FOUND -> new ReadBackReport.NoEffect();
            default -> new ReadBackReport.CannotTell("the read-back answered " + answer.status());
          };
    };
  }

  private static ReadBackReport effect(Exchange.Answer answer) {
    if (!answer.body().complete()) {
      return new ReadBackReport.CannotTell("the read-back's answer broke off");
    }
    AnswerContent content = AnswerContent.of(answer);
    return new ReadBackReport.Effect(
        content.tree(), content.digest(), content.bytes(), content.truncated());
  }
}
