package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A bank of two tools, {@code money_transfer} and {@code note_write}, on a loopback port. It runs
 * what carries a good {@code Heldcall-Permit} and refuses the rest.
 *
 * <ul>
 *   <li>{@code POST /transfers}, {@code POST /notes}: 200 with what was booked; 403 without a good
 *       permit; 409 for a fencing token lower than the highest seen for its idempotency key; 503
 *       when the issuer's keys cannot be read
 *   <li>{@code GET /transfers/{idempotency_key}}: the read-back: 200 with what was booked, 404 if
 *       nothing was
 *   <li>{@code GET /effects}: everything that was booked, and how many
 * </ul>
 *
 * <p>Two equal requests are two effects: the bank does not hide a call that ran twice.
 */
public final class Bank implements AutoCloseable {

  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads;
  private final PermitVerifier verifier;
  private final EffectBook book;
  private final AtomicInteger readBacks = new AtomicInteger();
  private volatile AnswerGate gate = AnswerGate.OPEN;

  private Bank(HttpServer server, PermitVerifier verifier, InstantSource clock) {
    this.server = server;
    this.threads = Executors.newVirtualThreadPerTaskExecutor();
    this.verifier = verifier;
    this.book = new EffectBook(clock);
  }

  /**
   * Opens the bank.
   *
   * @param port where on the loopback interface, 0 for any that is free
   * @param issuer the node whose permits are good, asked when the first permit comes: it may start
   *     later than the bank
   * @throws IOException if the port is taken
   */
  public static Bank open(int port, Supplier<URI> issuer) throws IOException {
    return open(port, issuer, InstantSource.system());
  }

  static Bank open(int port, Supplier<URI> issuer, InstantSource clock) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    Bank bank = new Bank(server, new PermitVerifier(new PermitKeys(issuer), clock), clock);
    server.setExecutor(bank.threads);
    server.createContext("/", bank.safely(bank::serve));
    server.start();
    return bank;
  }

  /** Where the bank listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What is asked between each later effect and its answer. */
  public void beforeAnswering(AnswerGate next) {
    gate = next;
  }

  /** Everything that was booked, oldest first. */
  public List<Effect> effects() {
    return book.all();
  }

  /** How often a read-back was asked for. */
  public int readBacks() {
    return readBacks.get();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String request = exchange.getRequestMethod() + " " + path;
    if (request.equals("POST /transfers")) {
      run(exchange, "money_transfer", "transfer");
    } else if (request.equals("POST /notes")) {
      run(exchange, "note_write", "note");
    } else if (request.equals("GET /effects")) {
      answer(exchange, 200, list(book.all()));
    } else if (request.startsWith("GET /transfers/")) {
      readBack(exchange, path.substring("/transfers/".length()));
    } else {
      refuse(exchange, 404, "no " + request + " here");
    }
  }

  private void run(HttpExchange exchange, String tool, String kind) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      refuse(exchange, 413, "the body is over 1 MiB");
      return;
    }
    switch (verifier.check(tool, exchange.getRequestHeaders(), body)) {
      case PermitCheck.Refused(String reason) -> refuse(exchange, 403, reason);
      case PermitCheck.Unverifiable(String reason) -> refuse(exchange, 503, reason);
      case PermitCheck.Accepted(Permit permit) -> book(exchange, kind, permit, body);
    }
  }

  private void book(HttpExchange exchange, String kind, Permit permit, byte[] body)
      throws IOException {
    Optional<Effect> made;
    try {
      made = book.make(kind, permit, JSON.readTree(body));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      refuse(exchange, 400, "the body is not a JSON object");
      return;
    }
    if (made.isEmpty()) {
      refuse(exchange, 409, "a later fencing token than " + permit.fence() + " was seen");
    } else if (mayAnswer(made.get())) {
      answer(exchange, 200, receipt(made.get()));
    } else {
      exchange.close();
    }
  }

  private boolean mayAnswer(Effect effect) {
    try {
      return gate.mayAnswer(effect);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void readBack(HttpExchange exchange, String idempotencyKey) throws IOException {
    readBacks.incrementAndGet();
    Optional<Effect> effect = book.find("transfer", idempotencyKey);
    if (effect.isPresent()) {
      answer(exchange, 200, receipt(effect.get()));
    } else {
      refuse(exchange, 404, "nothing was booked under " + idempotencyKey);
    }
  }

  private static JsonNode receipt(Effect effect) {
    ObjectNode receipt = JSON.createObjectNode();
    receipt.put("booking", effect.id());
    receipt.setAll((ObjectNode) effect.body());
    return receipt;
  }

  private static JsonNode list(List<Effect> effects) {
    ObjectNode list = JSON.createObjectNode();
    list.put("count", effects.size());
    ArrayNode items = list.putArray("items");
    for (Effect effect : effects) {
      ObjectNode item = items.addObject();
      item.put("booking", effect.id());
      item.put("kind", effect.kind());
      item.put("held_id", effect.permit().heldId());
      item.put("idempotency_key", effect.permit().idempotencyKey());
      item.put("fencing_token", effect.permit().fence().toString());
      item.put("at", effect.at().toString());
      item.set("body", effect.body());
    }
    return list;
  }

  /** Whatever goes wrong inside is a 500, never a connection that just ends. */
  private HttpHandler safely(HttpHandler handler) {
    return exchange -> {
      try {
        handler.handle(exchange);
      } catch (RuntimeException e) {
        refuse(exchange, 500, "the bank failed: " + e);
      }
    };
  }

  private static void refuse(HttpExchange exchange, int status, String reason) throws IOException {
    answer(exchange, status, JSON.createObjectNode().put("error", reason));
  }

  private static void answer(HttpExchange exchange, int status, JsonNode content)
      throws IOException {
    byte[] body = JSON.writeValueAsBytes(content);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
