package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One HTTP endpoint that is posted JSON and answers with a JSON object. */
public final class JsonEndpoint implements AutoCloseable {

  private final URI url;
  private final @Nullable String token;
  private final HttpEndpoint endpoint;

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
    this.endpoint = new HttpEndpoint(maxAtOnce, contract, services);
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
    return endpoint.send(request(body, requestId)).thenApply(JsonEndpoint::reply);
  }

  private HttpRequest.Builder request(JsonNode body, String requestId) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("Idempotency-Key", requestId)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request;
  }

  private static Reply reply(HttpEndpoint.Outcome outcome) {
    return switch (outcome) {
      case HttpEndpoint.Outcome.NotAnswered(String why) -> new Reply.NotAnswered(why);
      case HttpEndpoint.Outcome.Answered(HttpResponse<byte[]> response) -> {
        if (response.statusCode() != 200) {
          yield new Reply.NotAnswered("it answered with the status " + response.statusCode());
        }
        JsonNode body = StrictJson.object(response.body());
        yield body == null
            ? new Reply.NotAnswered("its answer is not one JSON object")
            : new Reply.Answered(body);
      }
    };
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
