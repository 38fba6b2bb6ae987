package dev.heldcall.gateway.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.cluster.History.Attempt;
import dev.heldcall.gateway.product.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client behind a load balancer: each try goes to the next node, and what got no answer, or one
 * that says so, is sent again as it was.
 */
public final class Client implements AutoCloseable {

  private static final Duration TRY = Duration.ofSeconds(20);
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final List<ClusterNode> nodes;
  private final History history;
  private final AtomicInteger turn = new AtomicInteger();

  public Client(List<ClusterNode> nodes, History history) {
    this.nodes = nodes;
    this.history = history;
  }

  /** The answer, whatever it says. */
  public record Said(int status, JsonNode body) {

    public String text(String pointer) {
      return body.at(pointer).asText();
    }

    String slug() {
      return text("/type").replaceAll(".*/", "");
    }
  }

  public Said get(String token, String path) {
    return ask(token, path, null, "");
  }

  Said post(String token, String path, JsonNode body) {
    return ask(token, path, body.toString(), "");
  }

  Said post(String token, String path, JsonNode body, String key) {
    return ask(token, path, body.toString(), key);
  }

  private Said ask(String token, String path, @Nullable String body, String key) {
    long until = System.nanoTime() + LONGEST.toNanos();
    for (int tries = 1; System.nanoTime() < until; tries++) {
      Said said = once(next(), token, path, body, key, TRY);
      if (said != null && said.status() != 503) {
        if (said.status() >= 500) {
          history.broken(path + " was answered " + said.status() + " " + said.body());
        }
        return said;
      }
      if (tries % nodes.size() == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted");
      }
    }
    String nothing = path + " got no answer in " + LONGEST;
    history.broken(nothing);
    throw new IllegalStateException(nothing);
  }

  private ClusterNode next() {
    return nodes.get(Math.floorMod(turn.getAndIncrement(), nodes.size()));
  }

  /** One try at one node; null if it came to no answer. */
  @Nullable Said once(
      ClusterNode node,
      String token,
      String path,
      @Nullable String body,
      String key,
      Duration timeout) {
    URI uri = node.uri().resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(timeout).header("Authorization", "Bearer " + token);
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8));
    }
    String what = (body == null ? "GET " : "POST ") + path;
    long began = System.nanoTime();
    try {
      HttpResponse<String> got =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
      String text = got.statusCode() < 500 ? "" : got.body();
      note(node, what, began, got.statusCode(), text);
      if (got.statusCode() == 503 && got.headers().firstValue("retry-after").isEmpty()) {
        history.broken(what + " was answered 503 without Retry-After: " + got.body());
      }
      return new Said(got.statusCode(), got.body().isEmpty() ? Json.of() : Json.tree(got.body()));
    } catch (IOException e) {
      note(node, what, began, 0, e.toString());
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void note(ClusterNode node, String what, long began, int status, String detail) {
    history.attempt(new Attempt(node.host(), what, began, System.nanoTime(), status, detail));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
