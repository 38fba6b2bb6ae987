package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Whom the {@link ScriptedProvider}s ask. What it says to a provider is said by the call's own
 * {@code say.<provider>}: a word that goes back as it is, {@code gate:x approve} for one that waits
 * until the gate is open, or {@code up:x approve} for one that cuts the connection until then.
 * {@code approve-once} is said once, and {@code defer} after it.
 */
final class WitnessServer implements AutoCloseable {

  /**
   * A request as it came.
   *
   * @param what {@code ask}, {@code look}, {@code recover} or {@code withdraw}
   */
  record Seen(String what, String provider, JsonNode body) {
    String heldId() {
      return body.path("held_id").asText();
    }

    String requestId() {
      return body.path("request_id").asText();
    }
  }

  private static final long LONGEST_GATE_SECONDS = 60;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  WitnessServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What was asked about the call, of the provider, in its order. */
  List<Seen> seen(String what, String provider, Held held) {
    return seen.stream()
        .filter(each -> each.what().equals(what) && each.provider().equals(provider))
        .filter(each -> each.heldId().equals(held.id()))
        .toList();
  }

  List<Seen> asks(String provider, Held held) {
    return seen("ask", provider, held);
  }

  /** Lets whoever waits at the gate pass, and all that come. */
  void open(String gate) {
    gate(gate).countDown();
  }

  private CountDownLatch gate(String gate) {
    return gates.computeIfAbsent(gate, key -> new CountDownLatch(1));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().substring(1).split("/", -1);
      JsonNode body = Json.tree(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      seen.add(new Seen(path[0], path[1], body));
      String word = body.at("/args/say/" + path[1]).asText();
      if (path[0].equals("withdraw")) {
        word = "";
      }
      if (word.startsWith("up:")) {
        String gate = word.substring(3, word.indexOf(' '));
        if (gate(gate).getCount() > 0) {
          return;
        }
        word = word.substring(word.indexOf(' ') + 1);
      }
      if (word.startsWith("gate:")) {
        String gate = word.substring(5, word.indexOf(' '));
        if (!gate(gate).await(LONGEST_GATE_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
        word = word.substring(word.indexOf(' ') + 1);
      }
      if (word.equals("approve-once")) {
        word = said.add(body.path("held_id").asText()) ? "approve" : "defer";
      }
      byte[] bytes = word.getBytes(UTF_8);
      exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    gates.values().forEach(CountDownLatch::countDown);
    server.stop(0);
    threads.shutdownNow();
  }
}
