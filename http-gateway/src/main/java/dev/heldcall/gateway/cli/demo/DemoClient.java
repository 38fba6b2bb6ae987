package dev.heldcall.gateway.cli.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Speaks to the node (or the bank) as one of the demo's people. */
final class DemoClient {

  static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private final Supplier<URI> server;
  private final @Nullable String token;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /**
   * A client.
   *
   * @param server asked at each request: a restarted node may be elsewhere
   * @param token a bearer token, or null to send none
   */
  DemoClient(Supplier<URI> server, @Nullable String token) {
    this.server = server;
    this.token = token;
  }

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body as JSON; empty if there was none
   */
  record Answer(int status, JsonNode body) {

    /** The text at a JSON pointer, empty if there is none. */
    String text(String pointer) {
      return body.at(pointer).asText();
    }
  }

  Answer get(String path) {
    return send(request(path).GET().build());
  }

  Answer post(String path, JsonNode body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(server.get().resolve(path)).timeout(TIMEOUT);
    return token == null ? builder : builder.header("Authorization", "Bearer " + token);
  }

  private Answer send(HttpRequest request) {
    String what = request.method() + " " + request.uri().getPath();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(answer.statusCode(), JSON.readTree(answer.body()));
    } catch (JsonProcessingException e) {
      throw new DemoFailure(what + " answers JSON", "JSON", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new DemoFailure(what + " is answered", "an answer", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoFailure(what + " is answered", "an answer", "an interrupt");
    }
  }
}
