package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/**
 * The digests of a document's canonical form and of every part of it, in one pass. The document is
 * written once: the canonical form of a part is a run of the bytes of the whole. Each byte is
 * digested as often as it is nested, so that a document of 1 MiB nested 64 deep, the most that
 * intake takes, costs 64 MiB of SHA-256.
 */
public final class SubtreeDigests {

  /** Told of every part, the document itself last. */
  public interface Visitor {

    /**
     * One part.
     *
     * @param part the value
     * @param sha256 the 32 bytes of its canonical form's digest
     */
    void part(JsonNode part, byte[] sha256);
  }

  private final Output out = new Output();
  private final MessageDigest sha256 = newSha256();
  private final Visitor visitor;

  private SubtreeDigests(Visitor visitor) {
    this.visitor = visitor;
  }

  /**
   * Digests every value in the document.
   *
   * @param canonical a tree that {@link CanonicalJson#canonical} has made
   */
  public static void visit(JsonNode canonical, Visitor visitor) {
    new SubtreeDigests(visitor).part(canonical);
  }

  private void part(JsonNode node) {
    int start = out.size();
    if (node.isObject()) {
      char separator = '{';
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        out.write(separator);
        out.writeBytes(CanonicalJson.bytes(TextNode.valueOf(field.getKey())));
        out.write(':');
        part(field.getValue());
        separator = ',';
      }
      out.writeBytes(bytes(separator == '{' ? "{}" : "}"));
    } else if (node.isArray()) {
      char separator = '[';
      for (JsonNode item : node) {
        out.write(separator);
        part(item);
        separator = ',';
      }
      out.writeBytes(bytes(separator == '[' ? "[]" : "]"));
    } else {
      out.writeBytes(CanonicalJson.bytes(node));
    }
    visitor.part(node, out.digest(sha256, start));
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(US_ASCII);
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  /** Shows its bytes without copying them. */
  private static final class Output extends ByteArrayOutputStream {

    private byte[] digest(MessageDigest algorithm, int start) {
      algorithm.update(buf, start, count - start);
      return algorithm.digest();
    }
  }
}
