package dev.heldcall.witness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A service on a port of this host that says what a test tells it to, and keeps what it was sent.
 */
public final class Counterpart implements AutoCloseable {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch silence = new CountDownLatch(1);
  private volatile Function<Asked, Said> answer = _ -> Said.json("{}");

  private Counterpart(HttpServer server) {
    this.server = server;
  }

  /** Starts one. */
  public static Counterpart start() {
    try {
      Counterpart counterpart =
          new Counterpart(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
      counterpart.server.setExecutor(counterpart.threads);
      counterpart.server.createContext("/", counterpart::serve);
      counterpart.server.start();
      return counterpart;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A request as it came.
   *
   * @param headers by name in lower case, the first value of each
   * @param body the bytes as text
   */
  public record Asked(String method, String uri, Map<String, String> headers, String body) {

    public Asked {
      headers = Map.copyOf(headers);
    }

    /** The body read as JSON. */
    public JsonNode json() {
      try {
        return MAPPER.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** An answer. */
  public record Said(int status, Map<String, String> headers, String body) {

    public Said {
      headers = Map.copyOf(headers);
    }

    /** A 200 of JSON. */
    public static Said json(String body) {
      return new Said(200, Map.of("Content-Type", "application/json"), body);
    }

    /** Another status. */
    public static Said status(int status, String body) {
      return new Said(status, Map.of("Content-Type", "application/json"), body);
    }
  }

  /** From now on it answers so. */
  public void answers(Function<Asked, Said> answer) {
    this.answer = answer;
  }

  /** From now on it answers with this JSON. */
  public void answers(String json) {
    answers(_ -> Said.json(json));
  }

  /** From now on it takes requests and says nothing. */
  public void saysNothing() {
    answers(
        _ -> {
          try {
            silence.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Said.status(500, "");
        });
  }

  /** What it was asked, in order. */
  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  /** What it was asked last. */
  public Asked last() {
    return asked.getLast();
  }

  /** Where it listens, without a slash at the end. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Asked request =
          new Asked(
              exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body);
      asked.add(request);
      Said said = answer.apply(request);
      said.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] bytes = said.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(said.status(), bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  @Override
  public void close() {
    silence.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
