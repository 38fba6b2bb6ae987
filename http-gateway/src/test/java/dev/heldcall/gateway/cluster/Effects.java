package dev.heldcall.gateway.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heldcall.gateway.product.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The tools of the cluster tests. Each request with an {@code Idempotency-Key} has its effect at
 * once, and is answered after as many milliseconds as its {@code late} says; {@code /again} has it
 * once a key. Every effect is kept, with what it came with.
 */
public final class Effects implements AutoCloseable {

  /**
   * What a tool did.
   *
   * @param key the idempotency key
   * @param token the fencing token
   * @param args what it was asked
   */
  record Effect(String key, String token, JsonNode args) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private final Map<String, List<Effect>> effects = new ConcurrentHashMap<>();

  public Effects() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What was done under the key, in its order. */
  List<Effect> of(String key) {
    return effects.getOrDefault(key, List.of());
  }

  /** How much was done in all. */
  int count() {
    return effects.values().stream().mapToInt(List::size).sum();
  }

  private void handle(HttpExchange exchange) throws IOException {
    JsonNode args = Json.tree(orEmpty(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    String path = exchange.getRequestURI().getPath();
    if (key == null) {
      List<Effect> found = of(path.substring(path.lastIndexOf('/') + 1));
      answer(exchange, found.isEmpty() ? 404 : 200, content(found.size()));
      return;
    }
    String token = String.valueOf(exchange.getRequestHeaders().getFirst("Heldcall-Fencing-Token"));
    List<Effect> own = effects.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>());
    if (!path.equals("/again") || own.isEmpty()) {
      own.add(new Effect(key, token, args));
    }
    var _ =
        later.schedule(
            () -> threads.execute(() -> quietly(exchange)),
            args.path("late").asLong(),
            TimeUnit.MILLISECONDS);
  }

  private static String orEmpty(String text) {
    return text.isEmpty() ? "{}" : text;
  }

  private static String content(int times) {
    return "{\"done\":" + (times > 0) + "}";
  }

  /** A node that was killed meanwhile is not there to be answered. */
  private static void quietly(HttpExchange exchange) {
    try {
      answer(exchange, 200, content(1));
    } catch (IOException e) {
      exchange.close();
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    later.shutdownNow();
    threads.shutdownNow();
  }
}
