package dev.heldcall.gateway.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Speaks HTTP to one incarnation of the node. */
final class Client implements AutoCloseable {

  private static final Duration LONGEST = Duration.ofSeconds(40);
  private static final Set<Integer> LATER = Set.of(429, 503);
  private static final int TRIES = 50;

  /** The node died before it answered: whether it did what it was asked is not known. */
  static final class NodeGoneException extends Exception {
    private static final long serialVersionUID = 1L;

    NodeGoneException(String asked, Throwable cause) {
      super(asked, cause);
    }
  }

  /**
   * An answer.
   *
   * @param asked the method and path
   */
  record Got(String asked, int status, JsonNode body, String etag) {

    String text(String pointer) {
      return body.at(pointer).asText();
    }

    /** The answer, if its status is one of these. */
    Got is(Integer... statuses) {
      if (!Set.of(statuses).contains(status)) {
        throw new AssertionError(asked + " was answered " + status + " " + body);
      }
      return this;
    }
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI node;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  Client(URI node) {
    this.node = node;
  }

  /** How many requests were answered. */
  int answered() {
    return answered.get();
  }

  /** How many were sent and never answered. */
  int lost() {
    return lost.get();
  }

  Got get(String token, String path) throws NodeGoneException {
    return send(request(token, path).GET().build(), TRIES);
  }

  /** As {@link #get}, without waiting. */
  CompletableFuture<Got> getSoon(String token, String path) {
    HttpRequest request = request(token, path).GET().build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofString(UTF_8))
        .thenApply(response -> got(request, response));
  }

  Got post(String token, String path, JsonNode body) throws NodeGoneException {
    return post(token, path, body, null);
  }

  Got post(String token, String path, JsonNode body, @Nullable String key)
      throws NodeGoneException {
    HttpRequest.Builder request =
        request(token, path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), UTF_8));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return send(request.build(), TRIES);
  }

  /** As {@link #get}, but once, whatever is answered. */
  Got getOnce(String token, String path) throws NodeGoneException {
    return send(request(token, path).GET().build(), 0);
  }

  /** As {@link #post}, but once, whatever is answered. */
  Got postOnce(String token, String path, JsonNode body) throws NodeGoneException {
    return send(
        request(token, path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString(), UTF_8))
            .build(),
        0);
  }

  /** Sends bytes, and returns the first line of what comes back. */
  String raw(String bytes) throws NodeGoneException {
    try (Socket socket = new Socket(node.getHost(), node.getPort())) {
      socket.setSoTimeout((int) LONGEST.toMillis());
      socket.getOutputStream().write(bytes.getBytes(UTF_8));
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      String line = in.readLine();
      if (line == null) {
        throw new IOException("the connection was closed without an answer");
      }
      answered.incrementAndGet();
      return line;
    } catch (IOException e) {
      lost.incrementAndGet();
      throw new NodeGoneException("what is no request", e);
    }
  }

  private HttpRequest.Builder request(String token, String path) {
    return HttpRequest.newBuilder(node.resolve(path))
        .timeout(LONGEST)
        .header("Authorization", "Bearer " + token);
  }

  /** An answer of 429 or 503 asks to come again, and so it does, a bounded number of times. */
  private Got send(HttpRequest request, int tries) throws NodeGoneException {
    for (int i = 0; ; i++) {
      try {
        HttpResponse<String> response =
            http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
        answered.incrementAndGet();
        if (!LATER.contains(response.statusCode()) || i >= tries) {
          return got(request, response);
        }
      } catch (IOException e) {
        lost.incrementAndGet();
        throw new NodeGoneException(asked(request), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private static Got got(HttpRequest request, HttpResponse<String> response) {
    String etag = response.headers().firstValue("etag").orElse("").replace("\"", "");
    return new Got(asked(request), response.statusCode(), Json.tree(response.body()), etag);
  }

  private static String asked(HttpRequest request) {
    return request.method() + " " + request.uri().getRawPath();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
