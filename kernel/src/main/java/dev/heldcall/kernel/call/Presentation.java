package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Disclosure;
import java.util.Locale;
import java.util.Map;

/**
 * How a call is shown to a witness: as much of the arguments as the disclosure allows. It always
 * says what it leaves out, and the digest is over the whole in every case.
 */
public final class Presentation {

  /** Larger arguments are not part of a list's row; the call itself shows them. */
  public static final int LISTED_ARGS_CHARS = 8_192;

  private Presentation() {}

  /** The presentation of the current generation. */
  public static ObjectNode of(HeldCallFacts facts, Disclosure disclosure) {
    Generation generation = facts.requireGeneration();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("tool", generation.tool());
    node.set("args", args(generation.args(), disclosure));
    node.put("args_digest", generation.argsDigest().value());
    node.put("disclosure", disclosure.wireName());
    node.put("args_left_out", disclosure != Disclosure.FULL);
    node.put("full", "/held/" + facts.requireSpec().heldId());
    return node;
  }

  /** The arguments as far as the disclosure allows. */
  public static JsonNode args(JsonNode args, Disclosure disclosure) {
    return switch (disclosure) {
      case FULL -> args;
      case SUMMARY -> summary(args);
      case DIGEST -> JsonNodeFactory.instance.nullNode();
    };
  }

  private static JsonNode summary(JsonNode args) {
    if (!args.isObject()) {
      return JsonNodeFactory.instance.textNode(kind(args));
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : args.properties()) {
      node.put(field.getKey(), kind(field.getValue()));
    }
    return node;
  }

  private static String kind(JsonNode value) {
    return value.getNodeType().name().toLowerCase(Locale.ROOT);
  }
}
