package dev.heldcall.kernel.digest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Refuses what JSON can spell and I-JSON (RFC 7493) cannot mean: what two readers of one document
 * would take for two values. Duplicate keys, trailing bytes and depth are the parser's to refuse.
 */
public final class IJson {

  /** More than this many violations are not listed. */
  static final int MAX_VIOLATIONS = 32;

  private IJson() {}

  /** Which refusal a violation belongs to. */
  public enum Kind {
    /** A number that would not arrive as it was sent. */
    NOT_I_JSON,
    /** Text that is not Unicode. */
    INVALID_JSON
  }

  /**
   * One place that breaks a rule.
   *
   * @param pointer where, as an RFC 6901 JSON Pointer
   * @param kind which refusal it belongs to
   * @param message what is wrong, for a person
   */
  public record Violation(String pointer, Kind kind, String message) {}

  /**
   * Checks a tree that was parsed with big integers and big decimals, so that no digit is lost yet.
   * {@link Kind#NOT_I_JSON} is an integer literal beyond ±(2^53 − 1), or a decimal whose value is
   * not that of its double's shortest spelling, infinity and vanishing included. {@link
   * Kind#INVALID_JSON} is a lone surrogate in a string or a key.
   *
   * @return the violations in document order, at most 32; empty if the tree is I-JSON
   */
  public static List<Violation> check(JsonNode tree) {
    List<Violation> found = new ArrayList<>();
    check(tree, "", found);
    return List.copyOf(found);
  }

  private static void check(JsonNode tree, String pointer, List<Violation> found) {
    if (found.size() >= MAX_VIOLATIONS) {
      return;
    }
    if (tree.isObject()) {
      for (Map.Entry<String, JsonNode> entry : tree.properties()) {
        String place = pointer + "/" + escape(entry.getKey());
        if (hasLoneSurrogate(entry.getKey())) {
          add(found, place, Kind.INVALID_JSON, "the key has a lone surrogate");
        }
        check(entry.getValue(), place, found);
      }
    } else if (tree.isArray()) {
      for (int i = 0; i < tree.size(); i++) {
        check(tree.get(i), pointer + "/" + i, found);
      }
    } else if (tree.isTextual()) {
      if (hasLoneSurrogate(tree.textValue())) {
        add(found, pointer, Kind.INVALID_JSON, "the string has a lone surrogate");
      }
    } else if (tree.isNumber()) {
      checkNumber(tree, pointer, found);
    }
  }

  private static void checkNumber(JsonNode number, String pointer, List<Violation> found) {
    if (number.isIntegralNumber()) {
      if (!JsonNumbers.isSafe(number.bigIntegerValue())) {
        String message =
            "the integer " + JsonNumbers.brief(number) + " is beyond ±" + JsonNumbers.MAX_SAFE;
        add(found, pointer, Kind.NOT_I_JSON, message);
      }
      return;
    }
    String loss = JsonNumbers.loss(number);
    if (loss != null) {
      String message = "the number " + JsonNumbers.brief(number) + " " + loss;
      add(found, pointer, Kind.NOT_I_JSON, message);
    }
  }

  private static void add(List<Violation> found, String pointer, Kind kind, String message) {
    if (found.size() < MAX_VIOLATIONS) {
      found.add(new Violation(pointer, kind, message));
    }
  }

  /** One reference token of RFC 6901; a lone surrogate in it becomes U+FFFD. */
  private static String escape(String key) {
    String token = key.replace("~", "~0").replace("/", "~1");
    return hasLoneSurrogate(token) ? wellFormed(token) : token;
  }

  private static String wellFormed(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  /** Whether the text has a surrogate without its other half, and so has no UTF-8. */
  static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
