package dev.heldcall.gateway.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The world of the story's tools, which no crash of a node touches: it keeps every effect that a
 * request had. A request's {@code do} says what becomes of it: {@code cut} has its effect and no
 * answer, {@code cut-first} so for the first request of its key, {@code drop-first} ends the first
 * one without an effect.
 */
final class ToolLedger implements AutoCloseable {

  /**
   * One effect.
   *
   * @param key the idempotency key, which names call and generation
   * @param heldId the call that it was for, as the request says
   * @param token the fencing token that the request had
   * @param callDigest the digest that the request had
   * @param at when
   * @param idempotent whether the tool honours its keys
   */
  record Effect(
      String key, String heldId, String token, String callDigest, Instant at, boolean idempotent) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Effect> effects = new CopyOnWriteArrayList<>();
  private final Set<String> firsts = ConcurrentHashMap.newKeySet();

  ToolLedger() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** By a name, which has to be looked up. */
  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** The effects for a call, in their order. */
  List<Effect> effects(String heldId) {
    return effects.stream().filter(each -> each.heldId().equals(heldId)).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode args =
          Json.tree("[" + new String(exchange.getRequestBody().readAllBytes(), UTF_8) + "]");
      String path = exchange.getRequestURI().getPath();
      if (exchange.getRequestMethod().equals("GET")) {
        String key = path.substring(path.lastIndexOf('/') + 1);
        boolean there = effects.stream().anyMatch(each -> each.key().equals(key));
        answer(exchange, there ? 200 : 404);
      } else {
        act(exchange, path, args.path(0).path("do").asText());
      }
    }
  }

  private void act(HttpExchange exchange, String path, String what) throws IOException {
    String key = header(exchange, "Idempotency-Key");
    boolean first = firsts.add(key);
    if (first && what.equals("drop-first")) {
      return;
    }
    effects.add(
        new Effect(
            key,
            header(exchange, "Heldcall-Id"),
            header(exchange, "Heldcall-Fencing-Token"),
            header(exchange, "Heldcall-Call-Digest"),
            Instant.now(),
            path.equals("/again")));
    if (!what.equals("cut") && !(first && what.equals("cut-first"))) {
      answer(exchange, 200);
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    byte[] bytes = "{\"ok\":true}".getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
