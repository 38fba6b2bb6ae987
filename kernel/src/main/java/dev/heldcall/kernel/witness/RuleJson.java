package dev.heldcall.kernel.witness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The one JSON form of a witness rule: an object with the one key that names the kind.
 *
 * <pre>
 * {"class": "human"}
 * {"quorum": {"count": 2, "class": "human", "deny": 1}}
 * {"all": [rule, …]}      {"any": [rule, …]}
 * {"fallback": {"first": rule, "after": "10m", "then": rule}}
 * </pre>
 */
public final class RuleJson {

  /** A level of parentheses is at most three of rules: a fallback, an {@code |}, an {@code &}. */
  private static final int MAX_DEPTH = 4 * RuleParser.MAX_NESTING;

  private RuleJson() {}

  /** The JSON form of the normalized rule. */
  public static ObjectNode of(WitnessRule rule) {
    return json(RuleParser.normalize(rule));
  }

  /**
   * Reads the JSON form; the rule comes normalized and is within the bounds of {@link RuleParser}.
   *
   * @throws IllegalArgumentException with the place as a JSON Pointer, if it is no rule
   */
  public static WitnessRule parse(JsonNode json) {
    return RuleParser.parse(RuleText.of(rule(json, "", 0)));
  }

  private static ObjectNode json(WitnessRule rule) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    switch (rule) {
      case OfClass(var witnessClass) -> object.put("class", witnessClass);
      case Quorum(var approvals, var witnessClass, var denials) ->
          object
              .putObject("quorum")
              .put("count", approvals)
              .put("class", witnessClass)
              .put("deny", denials);
      case AllOf(var parts) -> putParts(object.putArray("all"), parts);
      case AnyOf(var parts) -> putParts(object.putArray("any"), parts);
      case Fallback(var first, var after, var then) -> {
        ObjectNode fallback = object.putObject("fallback");
        fallback.set("first", json(first));
        fallback.put("after", RuleDuration.text(after));
        fallback.set("then", json(then));
      }
    }
    return object;
  }

  private static void putParts(ArrayNode array, List<WitnessRule> parts) {
    parts.forEach(part -> array.add(json(part)));
  }

  private static WitnessRule rule(JsonNode json, String pointer, int depth) {
    if (depth > MAX_DEPTH) {
      throw unexpected(pointer, "at most " + MAX_DEPTH + " nested rules");
    }
    if (!json.isObject() || json.size() != 1) {
      throw unexpected(pointer, "an object with one of class, quorum, all, any, fallback");
    }
    Iterator<String> names = json.fieldNames();
    String kind = names.next();
    JsonNode value = json.path(kind);
    String place = pointer + "/" + kind;
    return switch (kind) {
      case "class" -> new OfClass(className(value, place));
      case "quorum" -> quorum(value, place);
      case "all" -> new AllOf(parts(value, place, depth));
      case "any" -> new AnyOf(parts(value, place, depth));
      case "fallback" -> fallback(value, place, depth);
      default -> throw unexpected(pointer, "one of class, quorum, all, any, fallback");
    };
  }

  private static Quorum quorum(JsonNode json, String pointer) {
    requireFields(json, pointer, Set.of("count", "class", "deny"));
    int denials = json.has("deny") ? count(json.path("deny"), pointer + "/deny") : 1;
    return new Quorum(
        count(json.path("count"), pointer + "/count"),
        className(json.path("class"), pointer + "/class"),
        denials);
  }

  private static Fallback fallback(JsonNode json, String pointer, int depth) {
    requireFields(json, pointer, Set.of("first", "after", "then"));
    JsonNode after = json.path("after");
    Duration duration =
        (after.isTextual() ? RuleDuration.parse(after.textValue()) : Optional.<Duration>empty())
            .orElseThrow(() -> unexpected(pointer + "/after", RuleDuration.EXPECTED));
    return new Fallback(
        rule(json.path("first"), pointer + "/first", depth + 1),
        duration,
        rule(json.path("then"), pointer + "/then", depth + 1));
  }

  private static List<WitnessRule> parts(JsonNode json, String pointer, int depth) {
    if (!json.isArray() || json.isEmpty() || json.size() > RuleParser.MAX_LENGTH) {
      throw unexpected(pointer, "an array of rules");
    }
    List<WitnessRule> parts = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      parts.add(rule(json.get(i), pointer + "/" + i, depth + 1));
    }
    return parts;
  }

  private static void requireFields(JsonNode json, String pointer, Set<String> allowed) {
    if (!json.isObject()) {
      throw unexpected(pointer, "an object of " + String.join(", ", new TreeSet<>(allowed)));
    }
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!allowed.contains(name)) {
                throw unexpected(pointer, "only " + String.join(", ", new TreeSet<>(allowed)));
              }
            });
  }

  private static String className(JsonNode json, String pointer) {
    if (!json.isTextual() || !RuleParser.isClassName(json.textValue())) {
      throw unexpected(pointer, "a witness class");
    }
    return json.textValue();
  }

  private static int count(JsonNode json, String pointer) {
    boolean fits = json.isIntegralNumber() && json.canConvertToInt();
    int value = fits ? json.intValue() : 0;
    if (value < 1 || value > RuleParser.MAX_COUNT) {
      throw unexpected(pointer, "a count from 1 to " + RuleParser.MAX_COUNT);
    }
    return value;
  }

  private static IllegalArgumentException unexpected(String pointer, String expected) {
    return new IllegalArgumentException("at '" + pointer + "': expected " + expected);
  }
}
