package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One principal at one node.
 *
 * @param client the connections
 * @param node where the node is; asked each time, for a restarted node may be elsewhere
 * @param token the principal's token
 */
record Caller(HttpClient client, Supplier<URI> node, String token) {

  private static final Duration LONGEST = Duration.ofSeconds(60);

  Got get(String path) {
    return send(request(path).GET().build());
  }

  Got post(String path, JsonNode body) {
    return post(path, body.toString());
  }

  Got post(String path, String body) {
    return send(json(path, body).build());
  }

  /** With one more header. */
  Got post(String path, JsonNode body, String header, String value) {
    return send(json(path, body.toString()).header(header, value).build());
  }

  /** Without a body. */
  Got post(String path) {
    return send(request(path).POST(HttpRequest.BodyPublishers.noBody()).build());
  }

  /** Bytes of any type, with one more header and no token. */
  Got postBytes(String path, String body, String type, String header, String value) {
    return send(
        HttpRequest.newBuilder(node.get().resolve(path))
            .timeout(LONGEST)
            .header("Content-Type", type)
            .header(header, value)
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build());
  }

  CompletableFuture<Got> postSoon(String path, JsonNode body) {
    HttpRequest request = json(path, body.toString()).build();
    return client
        .sendAsync(request, HttpResponse.BodyHandlers.ofString(UTF_8))
        .thenApply(response -> got(request, response));
  }

  private HttpRequest.Builder json(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(node.get().resolve(path))
        .timeout(LONGEST)
        .header("Authorization", "Bearer " + token);
  }

  private Got send(HttpRequest request) {
    try {
      return got(request, client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(request.method() + " " + request.uri(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Got got(HttpRequest request, HttpResponse<String> response) {
    return new Got(
        request.method() + " " + request.uri().getPath(),
        response.statusCode(),
        response.headers().map(),
        response.body());
  }
}
