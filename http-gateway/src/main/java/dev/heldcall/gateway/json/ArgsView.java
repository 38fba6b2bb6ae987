package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;

/**
 * The arguments as one viewer may see them. What is not shown is said to be left out: nobody takes
 * a part for the whole.
 *
 * @param args all of them, the kinds of the top-level fields, or null
 * @param disclosure which of the three that is
 */
record ArgsView(JsonNode args, Disclosure disclosure) {

  /** For whoever looks: the proposer and operators see all, others what the proposer disclosed. */
  static ArgsView of(HeldCallFacts facts, Principal viewer) {
    boolean all =
        viewer.ref().equals(facts.requireSpec().proposer().ref()) || viewer.has(Role.OPERATOR);
    return at(facts, all ? Disclosure.FULL : facts.requireSpec().preferences().disclosure());
  }

  /** What witnesses are shown. */
  static ArgsView ofWitness(HeldCallFacts facts) {
    return at(facts, facts.requireSpec().preferences().disclosure());
  }

  private static ArgsView at(HeldCallFacts facts, Disclosure disclosure) {
    JsonNode args = facts.requireGeneration().args();
    return new ArgsView(
        switch (disclosure) {
          case FULL -> args;
          case SUMMARY -> summary(args);
          case DIGEST -> NullNode.instance;
        },
        disclosure);
  }

  /** Whether something is not shown. */
  boolean leftOut() {
    return disclosure != Disclosure.FULL;
  }

  /** Writes {@code args}, {@code disclosure} and {@code args_left_out}. */
  void writeTo(ObjectNode node) {
    node.set("args", args);
    node.put("disclosure", disclosure.wireName());
    node.put("args_left_out", leftOut());
  }

  private static JsonNode summary(JsonNode args) {
    if (!args.isObject()) {
      return JsonNodeFactory.instance.textNode(kind(args));
    }
    ObjectNode kinds = JsonNodeFactory.instance.objectNode();
    args.properties().forEach(entry -> kinds.put(entry.getKey(), kind(entry.getValue())));
    return kinds;
  }

  private static String kind(JsonNode value) {
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
