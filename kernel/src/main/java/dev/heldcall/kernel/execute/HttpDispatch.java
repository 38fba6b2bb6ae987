package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a dispatch to an HTTP tool and classifies what comes of it (the effect protocol):
 *
 * <table>
 * <caption>What is reported</caption>
 * <tr><td>dispatch window passed, or no connection before a byte was sent</td><td>no effect</td></tr>
 * <tr><td>2xx</td><td>answered, succeeded</td></tr>
 * <tr><td>4xx, 429 included, but not 408</td><td>answered, failed</td></tr>
 * <tr><td>408, 3xx, 5xx, a timeout, a broken connection, no HTTP</td><td>unknown</td></tr>
 * </table>
 *
 * <p>An answer that breaks off in its body, or goes on past the deadline, is a broken connection: a
 * read-back can still show the whole result. The body sent is the JCS form of the arguments, byte
 * for byte what {@code args_digest} digests, whatever the method; GET is no method of a tool.
 */
public final class HttpDispatch {

  private static final int REQUEST_TIMEOUT = 408;

  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final ToolClient client;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Duration connectTimeout;

  /**
   * A sender.
   *
   * @param client sends each request on a connection of its own
   * @param clock what the lease's deadline is measured by
   * @param nanoTime this process's monotonic clock, {@code System::nanoTime}
   * @param connectTimeout how long a connection may take to open, its TLS handshake included; the
   *     rest of the dispatch window and of the deadline bound it too
   */
  public HttpDispatch(
      ToolClient client, Clock clock, LongSupplier nanoTime, Duration connectTimeout) {
    this.client = client;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.connectTimeout = connectTimeout;
  }

  /**
   * Sends at most one request. The stage never fails.
   *
   * @param tool an HTTP tool's entry
   * @param lease the lease, already in the journal
   * @param generation what it is for
   * @param permit the signed permit
   * @param persistedNanos the monotonic clock when the lease's write returned
   * @param dispatchWindow how long after that the first byte may still leave (the design, rule 2)
   */
  public CompletionStage<DispatchReport> send(
      ToolEntry tool,
      Lease lease,
      Generation generation,
      String permit,
      long persistedNanos,
      Duration dispatchWindow) {
    DispatchWindow window = new DispatchWindow(persistedNanos, dispatchWindow, nanoTime);
    Duration untilDeadline = Duration.between(clock.instant(), lease.deadline());
    byte[] body = CanonicalJson.bytes(generation.args());
    String objection = window.objection();
    if (objection == null) {
      objection = objection(lease, generation, body, untilDeadline);
    }
    if (objection != null) {
      return CompletableFuture.completedStage(noEffect(objection));
    }
    ToolAddress address;
    ToolRequest request;
    try {
      address = ToolAddress.of(tool.url());
      request = request(tool, lease, permit, body);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(noEffect(e.getMessage()));
    }
    Duration toSend = least(connectTimeout, least(window.rest(), untilDeadline));
    return client
        .exchange(address, request, new ToolClient.Bounds(toSend, untilDeadline), window::objection)
        .thenApply(HttpDispatch::classified);
  }

  /** What runs is byte for byte what was digested and witnessed, or nothing runs. */
  private static @Nullable String objection(
      Lease lease, Generation generation, byte[] body, Duration untilDeadline) {
    if (!untilDeadline.isPositive()) {
      return "the lease's deadline has passed";
    }
    if (generation.number() != lease.token().generation()
        || !generation.callDigest().equals(lease.callDigest())
        || !generation.argsDigest().equals(Digests.sha256(body))) {
      return "the lease is for other content than this";
    }
    return null;
  }

  private static ToolRequest request(ToolEntry tool, Lease lease, String permit, byte[] body) {
    if (!METHODS.contains(tool.method())) {
      throw new IllegalArgumentException("no such method for a tool");
    }
    return new ToolRequest(
        tool.method(),
        List.of(
            new ToolRequest.Header("Idempotency-Key", lease.idempotencyKey()),
            new ToolRequest.Header("Heldcall-Id", lease.heldId()),
            new ToolRequest.Header("Heldcall-Call-Digest", lease.callDigest().value()),
            new ToolRequest.Header("Heldcall-Fencing-Token", lease.token().toString()),
            new ToolRequest.Header("Heldcall-Deadline", Rfc3339.millis(lease.deadline())),
            new ToolRequest.Header("Heldcall-Permit", permit)),
        body);
  }

  private static DispatchReport classified(Exchange exchange) {
    return switch (exchange) {
      case Exchange.NotSent notSent -> noEffect(notSent.reason());
      case Exchange.Broken broken -> new DispatchReport.Unknown(broken.reason());
      case Exchange.Answer answer -> {
        int status = answer.status();
        String detail = "the tool answered " + status;
        boolean succeeded = status / 100 == 2;
        if (!answer.body().complete()) {
          yield new DispatchReport.Unknown(detail + ", and the answer broke off in its body");
        }
        if (succeeded || (status / 100 == 4 && status != REQUEST_TIMEOUT)) {
          AnswerContent content = AnswerContent.of(answer);
          yield new DispatchReport.Answered(
              succeeded,
              content.tree(),
              content.digest(),
              content.bytes(),
              content.truncated(),
              detail);
        }
        yield new DispatchReport.Unknown(detail);
      }
    };
  }

  private static DispatchReport noEffect(@Nullable String reason) {
    return new DispatchReport.NoEffect("not sent: " + reason);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
