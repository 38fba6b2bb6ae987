package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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
import org.jspecify.annotations.Nullable;

/**
 * The tools' server. What a request makes it do is said by the request's own {@code do}: {@code
 * cut} the connection after the effect, {@code drop} it without one, answer a {@code status}, wait
 * at a {@code gate} between effect and answer, answer so many {@code bytes}, or only for the first
 * of several requests {@code cut-first}, {@code drop-first} or {@code fail-first}. It counts
 * effects by {@code Idempotency-Key}, once a request, and shows them at {@code /effects/<key>},
 * where {@code read_back} says another status.
 */
final class ToolServer implements AutoCloseable {

  /** A request as it came. */
  record Seen(String path, String key, Map<String, List<String>> headers, String body) {

    String header(String name) {
      return String.join("|", headers.getOrDefault(name, List.of()));
    }
  }

  private static final long LONGEST_GATE_SECONDS = 60;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Map<String, JsonNode> effects = new ConcurrentHashMap<>();
  private final Map<String, Integer> counts = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Set<String> firsts = ConcurrentHashMap.newKeySet();
  private final int deadPort;
  private volatile boolean healed;

  ToolServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    try (ServerSocket unused = new ServerSocket(0)) {
      deadPort = unused.getLocalPort();
    }
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Where nobody listens. */
  URI deadUri() {
    return URI.create("http://127.0.0.1:" + deadPort);
  }

  /** How often the call had its effect, over all generations. */
  int effects(String heldId) {
    return counts.entrySet().stream()
        .filter(each -> each.getKey().startsWith(heldId + "."))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** The requests for the call that would have an effect, in their order. */
  List<Seen> requests(String heldId) {
    return seen.stream().filter(each -> each.key().startsWith(heldId + ".")).toList();
  }

  /** How many requests there were in all. */
  int seen() {
    return seen.size();
  }

  /** The questions of read-backs about the call. */
  List<Seen> readBacks(String heldId) {
    return seen.stream()
        .filter(each -> each.key().isEmpty() && each.path().startsWith("/effects/" + heldId + "."))
        .toList();
  }

  /** Lets whoever waits at the gate pass, and all that come. */
  void open(String gate) {
    gate(gate).countDown();
  }

  /** From now on every read-back can tell. */
  void heal() {
    healed = true;
  }

  private CountDownLatch gate(String gate) {
    return gates.computeIfAbsent(gate, key -> new CountDownLatch(1));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      String path = exchange.getRequestURI().getPath();
      seen.add(
          new Seen(path, key == null ? "" : key, Map.copyOf(exchange.getRequestHeaders()), body));
      if (key == null) {
        readBack(exchange, path.substring(path.lastIndexOf('/') + 1));
      } else {
        act(exchange, key, Json.tree(body));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readBack(HttpExchange exchange, String key) throws IOException {
    JsonNode args = effects.get(key);
    if (args == null) {
      answer(exchange, 404, "{}");
    } else if (args.has("read_back") && !healed) {
      answer(exchange, args.path("read_back").asInt(), "{\"say\":\"cannot tell\"}");
    } else {
      answer(exchange, 200, content(args, key).toString());
    }
  }

  private void act(HttpExchange exchange, String key, JsonNode args)
      throws IOException, InterruptedException {
    String what = args.path("do").asText();
    boolean first = firsts.add(key);
    if (what.equals("drop") || (first && what.equals("drop-first"))) {
      return;
    }
    effects.put(key, args);
    var _ = counts.merge(key, 1, Integer::sum);
    switch (what) {
      case "cut" -> {
        // closing without an answer ends the connection
      }
      case "cut-first" -> {
        if (!first) {
          answer(exchange, 200, content(args, key).toString());
        }
      }
      case "fail-first" -> answer(exchange, first ? 503 : 200, content(args, key).toString());
      case "status" -> {
        exchange.getResponseHeaders().set("Location", uri() + "/elsewhere");
        answer(exchange, args.path("status").asInt(), "{\"say\":\"the tool says no\"}");
      }
      case "gate" -> {
        if (gate(args.path("gate").asText()).await(LONGEST_GATE_SECONDS, TimeUnit.SECONDS)) {
          answer(exchange, 200, content(args, key).toString());
        }
      }
      case "bytes" ->
          answer(exchange, 200, "\"" + "x".repeat(args.path("bytes").asInt() - 2) + "\"");
      default -> answer(exchange, 200, content(args, key).toString());
    }
  }

  private static JsonNode content(JsonNode args, String key) {
    ObjectNode content = Json.of("ok", true);
    @Nullable JsonNode say = args.get("say");
    if (say != null) {
      content.set("say", say);
      content.put("key", key);
    }
    return content;
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    gates.values().forEach(CountDownLatch::countDown);
    server.stop(0);
    threads.shutdownNow();
  }
}
