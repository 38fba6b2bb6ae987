package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.WireName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one object of an envelope, strictly: a field that is not asked for, is
 * missing, or has another type or bound is a problem with its pointer and what was expected. All
 * problems of a body are collected; a getter that finds one returns a stand-in, which {@link
 * #finish} never lets out. An optional field that is {@code null} counts as left out.
 */
final class ObjectReader {

  private final FieldProblems problems;
  private final String pointer;
  private final JsonNode node;
  private final Set<String> asked = new LinkedHashSet<>();
  private final List<ObjectReader> nested = new ArrayList<>();

  private ObjectReader(FieldProblems problems, String pointer, JsonNode node) {
    this.problems = problems;
    this.pointer = pointer;
    this.node = node;
  }

  /** Reads a body, which must be an object. */
  static ObjectReader of(JsonNode body) {
    FieldProblems problems = new FieldProblems();
    return under(problems, "", body);
  }

  private static ObjectReader under(FieldProblems problems, String pointer, JsonNode node) {
    if (!node.isObject()) {
      problems.invalid(pointer, "expected an object, found " + kind(node));
      return new ObjectReader(problems, pointer, NullNode.instance);
    }
    return new ObjectReader(problems, pointer, node);
  }

  /** An identifier of the client: 1 to {@link Text#MAX_ID} characters, none a control character. */
  String id(String name) {
    return text(name, 1, Text.MAX_ID);
  }

  /** A required text of so many characters without control characters. */
  String text(String name, int min, int max) {
    JsonNode value = required(name, "a string");
    return value == null ? "" : checkedText(at(name), value, min, max, false);
  }

  /** An optional text for people: it may have line breaks and tabs. */
  @Nullable String optionalProse(String name, int max) {
    JsonNode value = optional(name);
    return value == null ? null : checkedText(at(name), value, 0, max, true);
  }

  /** An optional text without control characters, 1 to {@code max} characters. */
  @Nullable String optionalText(String name, int max) {
    JsonNode value = optional(name);
    return value == null ? null : checkedText(at(name), value, 1, max, false);
  }

  /** A required integer within bounds, both inclusive. */
  long integer(String name, long min, long max) {
    JsonNode value = required(name, "an integer");
    return value == null ? min : checkedInteger(at(name), value, min, max);
  }

  /** An optional integer within bounds, both inclusive. */
  @Nullable Long optionalInteger(String name, long min, long max) {
    JsonNode value = optional(name);
    return value == null ? null : checkedInteger(at(name), value, min, max);
  }

  /** A required digest, as {@link Digest} spells it. */
  Digest digest(String name) {
    JsonNode value = required(name, "a digest");
    if (value != null && value.isTextual() && Digest.isWellFormed(value.textValue())) {
      return new Digest(value.textValue());
    }
    if (value != null) {
      problems.invalid(at(name), "expected 'sha256:' and 64 lower-case hexadecimal digits");
    }
    return new Digest("sha256:" + "0".repeat(64));
  }

  /** A required RFC 3339 time. */
  Instant instant(String name) {
    JsonNode value = required(name, "an RFC 3339 time");
    Optional<Instant> time =
        value != null && value.isTextual() ? Timestamps.parse(value.textValue()) : Optional.empty();
    if (value != null && time.isEmpty()) {
      problems.invalid(at(name), "expected an RFC 3339 time such as 2030-01-31T12:00:00.000Z");
    }
    return time.orElse(Instant.EPOCH);
  }

  /** An optional word of a closed list. */
  <E extends Enum<E> & WireName> E constant(String name, Class<E> type, E ifAbsent) {
    JsonNode value = optional(name);
    return value == null ? ifAbsent : checkedConstant(name, value, type, ifAbsent);
  }

  /** A required word of a closed list. */
  <E extends Enum<E> & WireName> E requiredConstant(String name, Class<E> type) {
    E standIn = type.getEnumConstants()[0];
    JsonNode value = required(name, "one of " + words(type));
    return value == null ? standIn : checkedConstant(name, value, type, standIn);
  }

  private <E extends Enum<E> & WireName> E checkedConstant(
      String name, JsonNode value, Class<E> type, E standIn) {
    if (value.isTextual()) {
      for (E constant : type.getEnumConstants()) {
        if (constant.wireName().equals(value.textValue())) {
          return constant;
        }
      }
    }
    problems.invalid(at(name), "expected one of " + words(type) + ", found " + shown(value));
    return standIn;
  }

  /** An optional list of distinct texts; absent is empty. */
  List<String> texts(String name, int maxItems, int maxLength) {
    JsonNode value = optional(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray() || value.size() > maxItems) {
      problems.invalid(at(name), "expected an array of at most " + maxItems + " strings");
      return List.of();
    }
    Set<String> items = new LinkedHashSet<>();
    for (int i = 0; i < value.size(); i++) {
      String place = at(name) + "/" + i;
      if (!items.add(checkedText(place, value.get(i), 1, maxLength, false))) {
        problems.invalid(place, "is there twice");
      }
    }
    return List.copyOf(items);
  }

  /** A required object of any fields. */
  JsonNode object(String name) {
    JsonNode value = required(name, "an object");
    if (value == null) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (!value.isObject()) {
      problems.invalid(at(name), "expected an object, found " + kind(value));
    }
    return value;
  }

  /** An optional object of any fields. */
  @Nullable JsonNode optionalObject(String name) {
    JsonNode value = optional(name);
    if (value != null && !value.isObject()) {
      problems.invalid(at(name), "expected an object, found " + kind(value));
    }
    return value;
  }

  /** An optional value of any kind; null is a value here, and so null stands only for absence. */
  @Nullable JsonNode any(String name) {
    asked.add(name);
    return node.get(name);
  }

  /** An optional nested object of the envelope, as strict as this one; null if left out. */
  @Nullable ObjectReader nested(String name) {
    JsonNode value = optional(name);
    if (value == null) {
      return null;
    }
    ObjectReader reader = under(problems, at(name), value);
    nested.add(reader);
    return reader;
  }

  /** Notes a problem that the reader's types do not know. */
  void invalid(String name, String message) {
    problems.invalid(at(name), message);
  }

  /** Closes the object: notes what was not asked for, here and in what is nested. */
  FieldProblems close() {
    for (String name : (Iterable<String>) node::fieldNames) {
      if (!asked.contains(name)) {
        problems.unknown(at(name), "is not a field here; expected one of " + asked);
      }
    }
    nested.forEach(ObjectReader::close);
    return problems;
  }

  /** Closes the object and makes what it says, or the refusal. */
  <T> Decoded<T> finish(Supplier<T> make) {
    FieldProblems all = close();
    return all.any() ? new Decoded.Refused<>(all.refusal()) : new Decoded.Ok<>(make.get());
  }

  private @Nullable JsonNode optional(String name) {
    asked.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private @Nullable JsonNode required(String name, String expected) {
    JsonNode value = optional(name);
    if (value == null && node.isObject()) {
      problems.invalid(at(name), "is required: expected " + expected);
    }
    return value;
  }

  private String checkedText(String place, JsonNode value, int min, int max, boolean prose) {
    if (!value.isTextual()) {
      problems.invalid(place, "expected a string, found " + kind(value));
      return "";
    }
    String text = value.textValue();
    if (text.length() < min || text.length() > max) {
      problems.invalid(
          place, "expected " + min + " to " + max + " characters, found " + text.length());
      return "";
    }
    if (prose ? Text.hasForbiddenInProse(text) : Text.hasControl(text)) {
      problems.invalid(place, "has a control character");
      return "";
    }
    return text;
  }

  private long checkedInteger(String place, JsonNode value, long min, long max) {
    if (value.isNumber()) {
      try {
        long number = value.decimalValue().longValueExact();
        if (number >= min && number <= max) {
          return number;
        }
      } catch (ArithmeticException notAnInteger) {
        // said below, with the bounds
      }
    }
    problems.invalid(
        place, "expected an integer from " + min + " to " + max + ", found " + shown(value));
    return min;
  }

  private String at(String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  private static <E extends Enum<E> & WireName> String words(Class<E> type) {
    StringBuilder words = new StringBuilder();
    for (E constant : type.getEnumConstants()) {
      words.append(words.isEmpty() ? "" : ", ").append(constant.wireName());
    }
    return words.toString();
  }

  private static String shown(JsonNode value) {
    String text = value.isContainerNode() ? kind(value) : value.toString();
    return text.length() > 64 ? text.substring(0, 64) + "…" : text;
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case NULL, MISSING -> "null";
      case BINARY, POJO -> "something else";
    };
  }
}
