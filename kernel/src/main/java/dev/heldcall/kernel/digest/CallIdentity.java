package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/**
 * What makes a call the same call however often it is proposed (HTTP API, section 1). Sessions are
 * each principal's own.
 *
 * @param org the proposer's organization
 * @param project its project
 * @param principal its id
 * @param sessionId the session, in the proposer's words
 * @param turnId the turn within the session
 * @param callId the call within the turn
 */
public record CallIdentity(
    String org, String project, String principal, String sessionId, String turnId, String callId) {

  private static final byte[] ALPHABET = "abcdefghijklmnopqrstuvwxyz234567".getBytes(US_ASCII);

  /**
   * The id of the held call: {@code hc_} and the lower-case base32 (RFC 4648, without padding) of
   * the SHA-256 of the canonical JSON array of the six parts, in this order (the design, rule 16).
   * The array keeps the parts apart unforgeably; no Unicode normalization takes place.
   *
   * @throws IllegalArgumentException if a part has a lone surrogate
   */
  public String heldId() {
    ArrayNode parts = JsonNodeFactory.instance.arrayNode(6);
    parts.add(org).add(project).add(principal).add(sessionId).add(turnId).add(callId);
    return "hc_" + base32(Digests.sha256Bytes(CanonicalJson.bytes(parts)));
  }

  /** Five bits a letter, from the most significant; the last letter is filled up with zeros. */
  private static String base32(byte[] bytes) {
    StringBuilder out = new StringBuilder((bytes.length * 8 + 4) / 5);
    int pending = 0;
    int bits = 0;
    for (byte b : bytes) {
      pending = (pending << 8) | (b & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        out.append((char) ALPHABET[(pending >> bits) & 31]);
      }
      pending &= (1 << bits) - 1;
    }
    if (bits > 0) {
      out.append((char) ALPHABET[(pending << (5 - bits)) & 31]);
    }
    return out.toString();
  }
}
