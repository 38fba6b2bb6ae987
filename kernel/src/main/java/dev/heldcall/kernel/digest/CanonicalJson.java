package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The JSON Canonicalization Scheme (RFC 8785): one spelling, byte for byte, for every JSON value.
 *
 * <p>The library formats the numbers, which is the hard part. It is not given whole documents: its
 * own parser would read them a second time, under rules other than those of intake. Keys are sorted
 * by UTF-16 code units, as section 3.2.3 asks and as {@link String#compareTo} does.
 *
 * <p>All methods refuse, with {@link IllegalArgumentException}, what has no canonical form: a
 * number that does not survive a double, a lone surrogate, a node that is no JSON value. Intake
 * tells the client about those before, by {@link IJson#check}.
 */
public final class CanonicalJson {

  private static final String HEX = "0123456789abcdef";

  private CanonicalJson() {}

  /** The canonical form in UTF-8. */
  public static byte[] bytes(JsonNode tree) {
    return text(tree).getBytes(UTF_8);
  }

  /** The canonical form as text; it has no lone surrogates. */
  public static String text(JsonNode tree) {
    StringBuilder out = new StringBuilder(256);
    write(tree, out);
    return out.toString();
  }

  /**
   * The tree that stands for all spellings of a document: equal documents give equal trees.
   * Integral values within ±(2^53 − 1) are {@code LongNode}s, however they were written ({@code
   * 1.0}, {@code 1e2}, {@code -0}); other numbers are {@code DoubleNode}s; keys are in canonical
   * order. The argument is not changed.
   */
  public static JsonNode canonical(JsonNode tree) {
    return switch (tree.getNodeType()) {
      case OBJECT -> {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        sorted(tree).forEach((key, value) -> copy.set(key, canonical(value)));
        yield copy;
      }
      case ARRAY -> {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode(tree.size());
        tree.forEach(item -> copy.add(canonical(item)));
        yield copy;
      }
      case NUMBER -> JsonNumbers.normal(tree);
      case STRING -> {
        requireWellFormed(tree.textValue());
        yield tree;
      }
      case BOOLEAN, NULL -> tree;
      case BINARY, MISSING, POJO -> throw notJson(tree);
    };
  }

  private static void write(JsonNode tree, StringBuilder out) {
    switch (tree.getNodeType()) {
      case OBJECT -> writeObject(tree, out);
      case ARRAY -> {
        char separator = '[';
        for (JsonNode item : tree) {
          out.append(separator);
          write(item, out);
          separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
      }
      case NUMBER -> {
        JsonNode number = JsonNumbers.normal(tree);
        out.append(number.isLong() ? number.asText() : JsonNumbers.shortest(number.doubleValue()));
      }
      case STRING -> writeString(tree.textValue(), out);
      case BOOLEAN -> out.append(tree.booleanValue());
      case NULL -> out.append("null");
      case BINARY, MISSING, POJO -> throw notJson(tree);
    }
  }

  private static void writeObject(JsonNode tree, StringBuilder out) {
    char separator = '{';
    for (Map.Entry<String, JsonNode> entry : sorted(tree).entrySet()) {
      out.append(separator);
      writeString(entry.getKey(), out);
      out.append(':');
      write(entry.getValue(), out);
      separator = ',';
    }
    out.append(separator == '{' ? "{}" : "}");
  }

  private static SortedMap<String, JsonNode> sorted(JsonNode object) {
    SortedMap<String, JsonNode> sorted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      requireWellFormed(entry.getKey());
      sorted.put(entry.getKey(), entry.getValue());
    }
    return sorted;
  }

  /** Section 3.2.2.2: the two-character escapes, {@code \}{@code u00xx} for other controls. */
  private static void writeString(String text, StringBuilder out) {
    requireWellFormed(text);
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static void requireWellFormed(String text) {
    if (IJson.hasLoneSurrogate(text)) {
      throw new IllegalArgumentException("a string with a lone surrogate has no canonical form");
    }
  }

  private static IllegalArgumentException notJson(JsonNode tree) {
    return new IllegalArgumentException("not a JSON value: " + tree.getNodeType());
  }
}
