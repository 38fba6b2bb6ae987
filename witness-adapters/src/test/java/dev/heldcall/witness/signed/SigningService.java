package dev.heldcall.witness.signed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heldcall.plugin.api.IncomingMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An outside service: it takes requests, and signs in-toto statements with its own key. */
final class SigningService implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final KeyPair key;
  private final CountDownLatch ended = new CountDownLatch(1);
  final List<JsonNode> posted = new CopyOnWriteArrayList<>();
  final List<String> authorizations = new CopyOnWriteArrayList<>();
  volatile int status = 202;
  volatile boolean silent;

  SigningService() {
    try {
      key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/requests", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    posted.add(JSON.readTree(exchange.getRequestBody().readAllBytes()));
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    if (silent) {
      try {
        var _ = ended.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/requests");
  }

  /** The attestation on a request that it was posted, signed by it. */
  ObjectNode statement(JsonNode request, String keyId) {
    ObjectNode body = JSON.createObjectNode();
    body.set("held_id", request.path("held_id"));
    body.set("attestation_id", request.path("request_id"));
    body.set("generation", request.path("generation"));
    body.set("contract_digest", request.path("contract_digest"));
    body.set("witness_class", request.path("witness_class"));
    body.put("decision", "approve");
    body.put("issued_at", "2026-05-04T10:00:00.000Z");
    body.put("expires_at", "2026-05-04T11:00:00.000Z");
    ObjectNode statement = JSON.createObjectNode();
    statement.put("_type", "https://in-toto.io/Statement/v1");
    statement
        .putArray("subject")
        .addObject()
        .putObject("digest")
        .put("sha256", request.path("call_digest").asText().substring(7));
    statement.put("predicateType", "https://heldcall.dev/attestation/v1");
    statement.set("predicate", body.deepCopy());
    body.set("call_digest", request.path("call_digest"));
    body.set("signature", envelope(statement.toString().getBytes(UTF_8), keyId));
    return body;
  }

  private ObjectNode envelope(byte[] payload, String keyId) {
    String type = "application/vnd.in-toto+json";
    byte[] signed =
        ("DSSEv1 "
                + type.length()
                + " "
                + type
                + " "
                + payload.length
                + " "
                + new String(payload, UTF_8))
            .getBytes(UTF_8);
    ObjectNode envelope = JSON.createObjectNode();
    envelope.put("payloadType", type);
    envelope.put("payload", Base64.getEncoder().encodeToString(payload));
    envelope
        .putArray("signatures")
        .addObject()
        .put("keyid", keyId)
        .put("sig", Base64.getEncoder().encodeToString(sign(signed)));
    return envelope;
  }

  private byte[] sign(byte[] content) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key.getPrivate());
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static IncomingMessage message(JsonNode body, String... authorization) {
    return message(body.toString(), authorization);
  }

  static IncomingMessage message(String body, String... authorization) {
    return new IncomingMessage(
        authorization.length == 0 ? Map.of() : Map.of("Authorization", List.of(authorization)),
        body.getBytes(UTF_8));
  }

  static JsonNode json(byte[] bytes) {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    ended.countDown();
    server.stop(0);
  }
}
