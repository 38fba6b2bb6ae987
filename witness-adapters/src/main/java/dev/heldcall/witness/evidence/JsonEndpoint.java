package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP endpoint that is posted JSON and answers with a JSON object. Bounded in time, in the
 * size of answers, and in how many requests are out at once; redirects are not followed. Whatever
 * goes wrong is a reason for a person that repeats nothing of what was sent or answered.
 */
public final class JsonEndpoint implements AutoCloseable {

  private final URI url;
  private final @Nullable String token;
  private final Duration timeout;
  private final long maxAnswerBytes;
  private final Semaphore free;
  private final HttpClient client;

  /**
   * @param token a bearer token, or null
   * @param maxAtOnce how many requests may be out at once, 1 or more
   */
  public JsonEndpoint(
      URI url,
      @Nullable String token,
      int maxAtOnce,
      ProviderContract contract,
      ProviderServices services) {
    this.url = url;
    this.token = token;
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
  public sealed interface Reply {

    /**
     * A 200 with an object.
     *
     * @param body the object
     */
    record Answered(JsonNode body) implements Reply {}

    /** Anything else, or nothing in time. */
    record NotAnswered(String why) implements Reply {}
  }

  /**
   * Posts.
   *
   * @param requestId sent as {@code Idempotency-Key}
   * @return never fails
   */
  public CompletableFuture<Reply> post(JsonNode body, String requestId) {
    if (!free.tryAcquire()) {
      return CompletableFuture.completedFuture(
          new Reply.NotAnswered("as many requests as configured are out (max-at-once)"));
    }
    CompletableFuture<HttpResponse<byte[]>> sent;
    try {
      sent =
          client.sendAsync(
              request(body, requestId),
              BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxAnswerBytes));
    } catch (RuntimeException e) {
      free.release();
      return CompletableFuture.completedFuture(
          new Reply.NotAnswered("the request could not be sent: " + e.getClass().getSimpleName()));
    }
    return sent.copy()
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .handle((response, failure) -> reply(response, failure))
        .whenComplete(
            (_, _) -> {
              sent.cancel(true); // does nothing to one that is done
              free.release();
            });
  }

  private HttpRequest request(JsonNode body, String requestId) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("Idempotency-Key", requestId)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private Reply reply(@Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
    if (response == null) {
      return new Reply.NotAnswered(reason(failure));
    }
    if (response.statusCode() != 200) {
      return new Reply.NotAnswered("it answered with the status " + response.statusCode());
    }
    JsonNode body = object(response.body());
    return body == null
        ? new Reply.NotAnswered("its answer is not one JSON object")
        : new Reply.Answered(body);
  }

  private static @Nullable JsonNode object(byte[] body) {
    try {
      return StrictJson.object(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      return null;
    }
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
    return "it did not answer within " + timeout;
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
