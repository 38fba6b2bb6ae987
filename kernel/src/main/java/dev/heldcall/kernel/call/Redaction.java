package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.DisclosureRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Takes declared fields out of arguments. In a field's place stands {@code {"redacted": true,
 * "kind": …}}, which could also be somebody's value: the pointers of what was left out are the
 * truth.
 */
final class Redaction {

  /** The most pointers that say what is left out; of more, the whole of the repeated part is. */
  static final int MAX_LEFT_OUT = 1_000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String EVERY = "*";

  private final List<String> leftOut = new ArrayList<>();
  private boolean tooMany;

  private Redaction() {}

  /**
   * What is left of the arguments.
   *
   * @param args the rest; never the caller's own tree where something was taken out
   * @param leftOut pointers to what was taken out, in the order of the arguments; {@code ""} if
   *     that is all of it
   */
  record Redacted(JsonNode args, List<String> leftOut) {}

  /** Takes the fields out. */
  static Redacted of(JsonNode args, Collection<String> pointers) {
    List<List<String>> paths = pointers.stream().map(DisclosureRule::segments).toList();
    Redaction each = new Redaction();
    JsonNode rest = each.without(args, paths, "");
    if (!each.tooMany) {
      return new Redacted(rest, List.copyOf(each.leftOut));
    }
    Redaction coarse = new Redaction();
    JsonNode less =
        coarse.without(args, paths.stream().map(Redaction::upToTheFirstEvery).toList(), "");
    return new Redacted(less, List.copyOf(coarse.leftOut));
  }

  private static List<String> upToTheFirstEvery(List<String> path) {
    int at = path.indexOf(EVERY);
    return at < 0 ? path : path.subList(0, at);
  }

  private JsonNode without(JsonNode node, List<List<String>> paths, String at) {
    if (paths.isEmpty()) {
      return node;
    }
    if (paths.stream().anyMatch(List::isEmpty)) {
      tooMany |= leftOut.size() == MAX_LEFT_OUT;
      if (!tooMany) {
        leftOut.add(at);
      }
      return NODES.objectNode().put("redacted", true).put("kind", Presentation.kind(node));
    }
    if (node.isObject()) {
      ObjectNode rest = NODES.objectNode();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        String name = field.getKey();
        String below = at + "/" + name.replace("~", "~0").replace("/", "~1");
        rest.set(name, without(field.getValue(), below(paths, name), below));
      }
      return rest;
    }
    if (node.isArray()) {
      ArrayNode rest = NODES.arrayNode();
      for (int i = 0; i < node.size(); i++) {
        rest.add(without(node.path(i), below(paths, Integer.toString(i)), at + "/" + i));
      }
      return rest;
    }
    return node;
  }

  private static List<List<String>> below(List<List<String>> paths, String name) {
    return paths.stream()
        .filter(path -> path.getFirst().equals(EVERY) || path.getFirst().equals(name))
        .map(path -> path.subList(1, path.size()))
        .toList();
  }
}
