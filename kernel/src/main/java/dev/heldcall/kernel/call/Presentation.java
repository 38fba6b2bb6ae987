package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a call is shown to others than its proposer: as much of the arguments as the tool's entry,
 * the policy that ruled and the proposer's preference allow, whichever allows least. It always says
 * what it leaves out, and the digest is over the whole in every case.
 */
public final class Presentation {

  /** Larger arguments are not part of a list's row; the call itself shows them. */
  public static final int LISTED_ARGS_CHARS = 8_192;

  /** Stands for all of the arguments among what is left out. */
  private static final List<String> ALL = List.of("");

  private Presentation() {}

  /**
   * Arguments as somebody sees them.
   *
   * @param args what is shown, or null if only the digest is
   * @param disclosure how much that is meant to be
   * @param leftOut JSON Pointers of what is not shown; {@code ""} for all of it
   */
  public record Disclosed(@Nullable JsonNode args, Disclosure disclosure, List<String> leftOut) {

    public Disclosed {
      leftOut = List.copyOf(leftOut);
    }

    /** Whether something is not shown. */
    public boolean leavesOut() {
      return !leftOut.isEmpty();
    }

    /** Writes {@code args}, {@code disclosure}, {@code args_left_out} and {@code left_out}. */
    public void writeTo(ObjectNode node) {
      node.set("args", args);
      node.put("disclosure", disclosure.wireName());
      node.put("args_left_out", leavesOut());
      var pointers = node.putArray("left_out");
      leftOut.forEach(pointers::add);
    }
  }

  /** All of the arguments, for the proposer and operators. */
  public static Disclosed whole(HeldCallFacts facts) {
    return new Disclosed(facts.requireGeneration().args(), Disclosure.FULL, List.of());
  }

  /**
   * The arguments of the current generation for everybody else.
   *
   * @param cap the most that this one may see; {@code FULL} for no bound of its own
   */
  public static Disclosed disclosed(HeldCallFacts facts, Disclosure cap) {
    return disclosed(
        facts.requireGeneration().args(), rule(facts).narrowedBy(DisclosureRule.of(cap)));
  }

  /** The arguments under a rule. */
  public static Disclosed disclosed(JsonNode args, DisclosureRule rule) {
    return switch (rule.disclosure()) {
      case FULL -> new Disclosed(args, Disclosure.FULL, List.of());
      case SUMMARY -> {
        if (rule.kindsOnly()) {
          yield new Disclosed(kinds(args), Disclosure.SUMMARY, ALL);
        }
        Redaction.Redacted rest = Redaction.of(args, rule.redact());
        yield rest.leftOut().equals(ALL)
            ? new Disclosed(kinds(args), Disclosure.SUMMARY, ALL)
            : new Disclosed(rest.args(), Disclosure.SUMMARY, rest.leftOut());
      }
      case DIGEST -> new Disclosed(null, Disclosure.DIGEST, ALL);
    };
  }

  /** What others see of the current generation; a call that nobody ruled on shows its digest. */
  public static DisclosureRule rule(HeldCallFacts facts) {
    Ruling ruling = facts.ruling();
    return ruling == null || ruling.generation() != facts.requireGeneration().number()
        ? DisclosureRule.of(Disclosure.DIGEST)
        : rule(ruling, facts.requireSpec());
  }

  /** What others see under a ruling. */
  public static DisclosureRule rule(Ruling ruling, CallSpec spec) {
    return ruling.disclosed().narrowedBy(DisclosureRule.of(spec.preferences().disclosure()));
  }

  /** The presentation of the current generation, for a list's row: without long arguments. */
  public static ObjectNode listed(HeldCallFacts facts) {
    Disclosed shown = disclosed(facts, Disclosure.FULL);
    JsonNode args = shown.args();
    return args != null && args.toString().length() > LISTED_ARGS_CHARS
        ? of(facts, new Disclosed(null, shown.disclosure(), ALL))
        : of(facts, shown);
  }

  /** The presentation of the current generation, with so much of the arguments. */
  public static ObjectNode of(HeldCallFacts facts, Disclosed shown) {
    Generation generation = facts.requireGeneration();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("tool", generation.tool());
    shown.writeTo(node);
    node.put("args_digest", generation.argsDigest().value());
    node.put("full", "/held/" + facts.requireSpec().heldId());
    return node;
  }

  /** Takes the arguments out of a presentation that may show more than is allowed by now. */
  public static void withhold(ObjectNode presentation) {
    presentation.putNull("args");
    presentation.put("args_left_out", true);
    presentation.putArray("left_out").add("");
  }

  private static JsonNode kinds(JsonNode args) {
    if (!args.isObject()) {
      return JsonNodeFactory.instance.textNode(kind(args));
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : args.properties()) {
      node.put(field.getKey(), kind(field.getValue()));
    }
    return node;
  }

  /** A value's kind by its JSON name. */
  static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING, BINARY -> "string";
      case NUMBER -> "number";
      case BOOLEAN -> "boolean";
      case NULL, MISSING, POJO -> "null";
    };
  }
}
