package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The public keys of a node's permits, read from its {@code /.well-known/jwks.json} when the first
 * one is asked for, kept, and read again when a key id is not among them.
 */
public final class PermitKeys {

  /** SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410, section 10.1). */
  private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final int KEY_BYTES = 32;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Supplier<URI> server;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private Map<String, PublicKey> keys = Map.of();

  /** The keys of the node at {@code server}, which is asked for at each fetch. */
  public PermitKeys(Supplier<URI> server) {
    this.server = server;
  }

  /**
   * The key with that id, if the node has one.
   *
   * @throws IOException if the node cannot be asked
   */
  synchronized Optional<PublicKey> find(String keyId) throws IOException {
    if (!keys.containsKey(keyId)) {
      keys = fetch();
    }
    return Optional.ofNullable(keys.get(keyId));
  }

  private Map<String, PublicKey> fetch() throws IOException {
    URI jwks = server.get().resolve("/.well-known/jwks.json");
    HttpRequest request = HttpRequest.newBuilder(jwks).timeout(TIMEOUT).GET().build();
    try {
      HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new IOException(jwks + " answered " + answer.statusCode());
      }
      return read(JSON.readTree(answer.body()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The Ed25519 keys of a JWK set (RFC 8037); others are none of ours. */
  private static Map<String, PublicKey> read(JsonNode set) throws IOException {
    Map<String, PublicKey> found = new HashMap<>();
    for (JsonNode jwk : set.path("keys")) {
      if (jwk.path("kty").asText().equals("OKP") && jwk.path("crv").asText().equals("Ed25519")) {
        found.put(jwk.path("kid").asText(), publicKey(jwk.path("x").asText()));
      }
    }
    return Map.copyOf(found);
  }

  private static PublicKey publicKey(String x) throws IOException {
    try {
      byte[] key = Base64.getUrlDecoder().decode(x);
      if (key.length != KEY_BYTES) {
        throw new IOException("an Ed25519 key of " + key.length + " bytes");
      }
      byte[] encoded = new byte[ED25519_PREFIX.length + KEY_BYTES];
      System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
      System.arraycopy(key, 0, encoded, ED25519_PREFIX.length, KEY_BYTES);
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new IOException("a malformed key in " + x, e);
    }
  }
}
