package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a request against the permit that it carries: a compact JWS (RFC 7515) with {@code EdDSA}
 * (RFC 8037) in the header {@code Heldcall-Permit}. A permit is good for one tool, one body, the
 * headers sent beside it, and until its deadline.
 */
public final class PermitVerifier {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final PermitKeys keys;
  private final InstantSource clock;

  /**
   * A verifier.
   *
   * @param keys whose permits are good
   * @param clock this machine's time
   */
  public PermitVerifier(PermitKeys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Checks one request.
   *
   * @param tool the tool that it asks for
   * @param headers as received
   * @param body as received, byte for byte
   */
  public PermitCheck check(String tool, Headers headers, byte[] body) {
    List<String> tokens = headers.getOrDefault("Heldcall-Permit", List.of());
    if (tokens.size() != 1) {
      return new PermitCheck.Refused("expected one Heldcall-Permit, found " + tokens.size());
    }
    try {
      String[] parts = tokens.getFirst().split("\\.", -1);
      if (parts.length != 3) {
        return new PermitCheck.Refused("the permit is no compact JWS");
      }
      Optional<PublicKey> key = keys.find(keyId(parts[0]));
      if (key.isEmpty()) {
        return new PermitCheck.Refused("the permit is signed with an unknown key");
      }
      if (!signed(parts, key.get())) {
        return new PermitCheck.Refused("the permit's signature is wrong");
      }
      return compare(Permit.of(json(parts[1])), tool, headers, body);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      return new PermitCheck.Refused(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new PermitCheck.Unverifiable("the issuer's keys cannot be read: " + e.getMessage());
    }
  }

  private PermitCheck compare(Permit permit, String tool, Headers headers, byte[] body) {
    Instant now = clock.instant();
    if (!now.isBefore(permit.deadline()) || !now.isBefore(permit.expiresAt())) {
      return new PermitCheck.Refused("the permit ended at " + permit.deadline());
    }
    if (!permit.tool().equals(tool)) {
      return new PermitCheck.Refused("the permit is for the tool " + permit.tool());
    }
    if (!permit.argsDigest().equals(sha256(body))) {
      return new PermitCheck.Refused("the permit is for another body");
    }
    Map<String, String> bound =
        Map.of(
            "Idempotency-Key", permit.idempotencyKey(),
            "Heldcall-Id", permit.heldId(),
            "Heldcall-Call-Digest", permit.callDigest(),
            "Heldcall-Fencing-Token", permit.fence().toString());
    for (Map.Entry<String, String> header : bound.entrySet()) {
      if (!List.of(header.getValue()).equals(headers.get(header.getKey()))) {
        return new PermitCheck.Refused("the header " + header.getKey() + " is not the permit's");
      }
    }
    String deadline = headers.getFirst("Heldcall-Deadline");
    if (deadline == null || !Instant.parse(deadline).equals(permit.deadline())) {
      return new PermitCheck.Refused("the header Heldcall-Deadline is not the permit's");
    }
    return new PermitCheck.Accepted(permit);
  }

  private static String keyId(String encodedHeader) {
    JsonNode header = json(encodedHeader);
    if (!(header instanceof ObjectNode)
        || !header.path("alg").asText().equals("EdDSA")
        || header.has("crit")) {
      throw new IllegalArgumentException("the permit is not signed with EdDSA");
    }
    return header.path("kid").asText();
  }

  private static boolean signed(String[] parts, PublicKey key) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static JsonNode json(String encoded) {
    try {
      return JSON.readTree(
          new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the permit is not JSON inside", e);
    }
  }

  private static String sha256(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
