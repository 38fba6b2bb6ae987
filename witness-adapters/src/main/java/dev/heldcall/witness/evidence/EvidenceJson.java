package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.erdtman.jcs.JsonCanonicalizer;

/** Digests of evidence, so that anyone who has the same observation can compute the same one. */
public final class EvidenceJson {

  private EvidenceJson() {}

  /**
   * SHA-256 of the RFC 8785 form.
   *
   * @param json an object or array
   */
  public static Digest digest(JsonNode json) {
    return digest(canonical(json));
  }

  /** SHA-256 of bytes. */
  public static Digest digest(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Digest("sha256:" + HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** SHA-256 of a text's UTF-8 bytes. */
  public static Digest digest(String text) {
    return digest(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] canonical(JsonNode json) {
    try {
      return new JsonCanonicalizer(json.toString()).getEncodedUTF8();
    } catch (IOException e) {
      throw new UncheckedIOException("no RFC 8785 form: not an object or array", e);
    }
  }
}
