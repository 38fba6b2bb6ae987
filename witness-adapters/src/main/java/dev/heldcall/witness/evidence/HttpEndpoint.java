package dev.heldcall.witness.evidence;

import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP service that a provider asks. Bounded in time, in the size of answers, and in how many
 * requests are out at once; redirects are not followed. Whatever goes wrong is a reason for a
 * person that repeats nothing of what was sent or answered.
 */
public final class HttpEndpoint implements AutoCloseable {

  private final Duration timeout;
  private final long maxAnswerBytes;
  private final Semaphore free;
  private final HttpClient client;

  /**
   * @param maxAtOnce how many requests may be out at once, 1 or more
   */
  public HttpEndpoint(int maxAtOnce, ProviderContract contract, ProviderServices services) {
    this.timeout = contract.timeout();
    this.maxAnswerBytes = contract.maxAnswerBytes();
    this.free = new Semaphore(maxAtOnce);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(contract.timeout())
            .executor(services.blocking())
            .build();
  }

  /** What came back. */
  public sealed interface Outcome {

    /**
     * An answer with any status.
     *
     * @param response the whole of it
     */
    record Answered(HttpResponse<byte[]> response) implements Outcome {}

    /** No answer, or none in time. */
    record NotAnswered(String why) implements Outcome {}
  }

  /**
   * Sends.
   *
   * @param request what to send; its time limit is set here
   * @return never fails
   */
  public CompletableFuture<Outcome> send(HttpRequest.Builder request) {
    if (!free.tryAcquire()) {
      return CompletableFuture.completedFuture(
          new Outcome.NotAnswered("as many requests as configured are out (max-at-once)"));
    }
    CompletableFuture<HttpResponse<byte[]>> sent;
    try {
      sent =
          client.sendAsync(
              request.timeout(timeout).build(),
              BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxAnswerBytes));
    } catch (RuntimeException e) {
      free.release();
      return CompletableFuture.completedFuture(
          new Outcome.NotAnswered(
              "the request could not be sent: " + e.getClass().getSimpleName()));
    }
    return sent.copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .handle(this::outcome)
        .whenComplete(
            (_, _) -> {
              sent.cancel(true); // does nothing to one that is done
              free.release();
            });
  }

  private Outcome outcome(@Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
    return response == null
        ? new Outcome.NotAnswered(reason(failure))
        : new Outcome.Answered(response);
  }

  private String reason(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return switch (cause) {
      case TimeoutException _ -> late();
      case HttpTimeoutException _ -> late();
      case ConnectException _ -> "it cannot be connected to";
      case IOException e when isOverLimit(e) ->
          "its answer is over " + maxAnswerBytes + " bytes (max-answer)";
      case null, default -> "the connection broke";
    };
  }

  private String late() {
    return "it did not answer within " + DurationText.of(timeout);
  }

  /** The JDK says so in words only. */
  private static boolean isOverLimit(IOException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (String.valueOf(t.getMessage()).contains("body exceeds capacity")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
