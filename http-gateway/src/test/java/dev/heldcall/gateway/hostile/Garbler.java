package dev.heldcall.gateway.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Spoils bodies that were right: their tree, their text, their bytes. */
final class Garbler {

  private static final String[] NUMBERS = {
    "1e400",
    "-1e400",
    "99999999999999999999",
    "-9007199254740993",
    "0.1e-400",
    "1E+2",
    "-0",
    "-0.0",
    "123456789012345678901234567890.5",
    "1.",
    "+1",
    "01",
    "NaN",
    "Infinity",
    "9".repeat(2_000)
  };

  private static final byte[][] BAD_UTF_8 = {
    {(byte) 0xC3, 0x28},
    {(byte) 0xFF},
    {(byte) 0xC0, (byte) 0x80},
    {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
    {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
    {0},
    {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}
  };

  private final SplittableRandom random;

  Garbler(SplittableRandom random) {
    this.random = random;
  }

  /** The body, spoilt in one of many ways; now and then it is left as it was. */
  byte[] spoil(ObjectNode body) {
    return switch (random.nextInt(12)) {
      case 0 -> bytes(body);
      case 1, 2, 3 -> bytes(otherValue(body));
      case 4 -> bytes(withoutField(body));
      case 5 -> bytes(body.put("unknown_" + random.nextInt(100), 1));
      case 6 -> insert(bytes(body), random.nextInt(4) == 0 ? "\\ud800" : "\\u0000");
      case 7 -> otherNumber(body.toString());
      case 8 -> insert(bytes(body), BAD_UTF_8[random.nextInt(BAD_UTF_8.length)]);
      case 9 -> cut(bytes(body));
      case 10 -> twice(body);
      default -> flip(bytes(body));
    };
  }

  /** Well-formed, and as hard on memory as its size allows. */
  static byte[] dense(int size, int kind) {
    StringBuilder text = new StringBuilder(size + 100);
    text.append("{\"session_id\":\"h-dense\",\"turn_id\":\"t\",\"call_id\":\"c-")
        .append(System.nanoTime())
        .append("\",\"tool\":\"look\",\"args\":{\"rule\":\"human\",\"v\":[0");
    String unit =
        switch (kind % 5) {
          case 0 -> ",0";
          case 1 -> ",[]";
          case 2 -> ",{\"a\":1}";
          case 3 -> ",1.5e-7";
          default -> ",\"\\u00e9\"";
        };
    while (text.length() < size - 10) {
      text.append(unit);
    }
    return text.append("]}}").toString().getBytes(UTF_8);
  }

  /** Nested so deep. */
  static byte[] deep(int depth) {
    return ("{\"args\":" + "[".repeat(depth) + "]".repeat(depth) + "}").getBytes(UTF_8);
  }

  private static byte[] bytes(JsonNode body) {
    return body.toString().getBytes(UTF_8);
  }

  private ObjectNode otherValue(ObjectNode body) {
    ObjectNode at = somewhere(body);
    List<String> names = names(at);
    if (!names.isEmpty()) {
      at.set(names.get(random.nextInt(names.size())), anything());
    }
    return body;
  }

  private ObjectNode withoutField(ObjectNode body) {
    ObjectNode at = somewhere(body);
    List<String> names = names(at);
    if (!names.isEmpty()) {
      at.remove(names.get(random.nextInt(names.size())));
    }
    return body;
  }

  /** The body itself, or an object in it. */
  private ObjectNode somewhere(ObjectNode body) {
    List<ObjectNode> objects = new ArrayList<>(List.of(body));
    body.forEach(
        each -> {
          if (each instanceof ObjectNode inner) {
            objects.add(inner);
          }
        });
    return objects.get(random.nextInt(objects.size()));
  }

  private static List<String> names(ObjectNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private JsonNode anything() {
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (random.nextInt(11)) {
      case 0 -> make.nullNode();
      case 1 -> make.booleanNode(random.nextBoolean());
      case 2 -> make.numberNode(random.nextLong());
      case 3 -> make.numberNode(random.nextInt());
      case 4 -> make.numberNode(random.nextDouble());
      case 5 -> make.textNode("");
      case 6 -> make.textNode("x".repeat(1 << random.nextInt(15)));
      case 7 -> make.textNode("\u0000\u001f\u202e\ud83d\ude00/../%00\r\nHeader: x");
      case 8 -> make.textNode("' OR 1=1; DROP TABLE event_journal; --");
      case 9 -> nested(random.nextInt(70));
      default -> make.objectNode().set("a", make.arrayNode().add(1).addNull().add("x"));
    };
  }

  private static JsonNode nested(int depth) {
    ArrayNode inner = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < depth; i++) {
      ArrayNode outer = JsonNodeFactory.instance.arrayNode();
      outer.add(inner);
      inner = outer;
    }
    return inner;
  }

  private byte[] otherNumber(String text) {
    String number = NUMBERS[random.nextInt(NUMBERS.length)];
    return text.replaceFirst(":\\d+", ":" + number).getBytes(UTF_8);
  }

  private static byte[] twice(ObjectNode body) {
    String text = body.toString();
    return (text.substring(0, text.length() - 1) + "," + text.substring(1)).getBytes(UTF_8);
  }

  private byte[] cut(byte[] bytes) {
    return java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
  }

  byte[] flip(byte[] bytes) {
    for (int i = 0; i <= random.nextInt(4); i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private byte[] insert(byte[] bytes, String text) {
    return insert(bytes, text.getBytes(ISO_8859_1));
  }

  private byte[] insert(byte[] bytes, byte[] more) {
    int at = random.nextInt(bytes.length);
    byte[] longer = new byte[bytes.length + more.length];
    System.arraycopy(bytes, 0, longer, 0, at);
    System.arraycopy(more, 0, longer, at, more.length);
    System.arraycopy(bytes, at, longer, at + more.length, bytes.length - at);
    return longer;
  }
}
