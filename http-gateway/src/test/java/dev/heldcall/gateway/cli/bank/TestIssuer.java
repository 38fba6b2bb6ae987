package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Signs permits as a node does, and serves its key. */
final class TestIssuer implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final KeyPair pair;
  private final String keyId;
  private int fetches;

  private TestIssuer(HttpServer server, KeyPair pair, String keyId) {
    this.server = server;
    this.pair = pair;
    this.keyId = keyId;
  }

  static TestIssuer open(String keyId) throws IOException, GeneralSecurityException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    TestIssuer issuer = new TestIssuer(server, pair, keyId);
    server.createContext(
        "/.well-known/jwks.json",
        exchange -> {
          issuer.fetches++;
          byte[] body = issuer.keys().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return issuer;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  int fetches() {
    return fetches;
  }

  /** The claims of a good permit for {@code body}. */
  static ObjectNode claims(byte[] body, int attempt, Instant deadline) {
    return JSON.createObjectNode()
        .put("iss", "heldcall")
        .put("held_id", "hc_a")
        .put("generation", 1)
        .put("tool", "money_transfer")
        .put("call_digest", "sha256:" + "a".repeat(64))
        .put("args_digest", sha256(body))
        .put("fencing_token", "1." + attempt)
        .put("idempotency_key", "hc_a.1")
        .put("lease_id", "lease-" + attempt)
        .put("deadline", deadline.toString())
        .put("iat", deadline.getEpochSecond() - 5)
        .put("exp", deadline.getEpochSecond());
  }

  String sign(ObjectNode claims) {
    return sign(JSON.createObjectNode().put("alg", "EdDSA").put("kid", keyId), claims);
  }

  String sign(ObjectNode header, ObjectNode claims) {
    try {
      String input = encode(header.toString()) + "." + encode(claims.toString());
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(pair.getPrivate());
      signature.update(input.getBytes(StandardCharsets.US_ASCII));
      return input + "." + encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private String keys() {
    byte[] encoded = pair.getPublic().getEncoded();
    String x = encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
    return "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"%s\",\"x\":\"%s\"}]}"
        .formatted(keyId, x);
  }

  static String encode(String text) {
    return encode(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String sha256(byte[] body) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
