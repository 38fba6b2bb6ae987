package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A call's arguments as code in a message's markup: the JSON itself, each argument on its own, with
 * every character that Slack would act on, or that nobody could see, written in another way. What
 * there is no room for is named, with how much of it is missing.
 */
final class ArgumentText {

  /** The most characters of one block, with room for what stands around the code. */
  static final int MAX_BLOCK = 2900;

  /**
   * The most of one message. Slack refuses more than some 12 000 characters of all blocks together,
   * which it counts in its own way (msg_blocks_too_long).
   */
  static final int MAX_ALL = 6000;

  /** The most arguments that are named as not shown; of the others, how many there are. */
  static final int MAX_NAMED = 12;

  /** Less than this is not worth a beginning. */
  private static final int LEAST = 100;

  private static final int MAX_NAME = 60;

  private final List<StringBuilder> blocks = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private int left = MAX_ALL;

  private ArgumentText() {}

  /**
   * What is shown.
   *
   * @param blocks escaped for markup, each for a code block of its own
   * @param missing for each argument that is not or not wholly shown, which, and how much of it
   */
  record Shown(List<String> blocks, List<String> missing) {

    Shown {
      blocks = List.copyOf(blocks);
      missing = List.copyOf(missing);
    }
  }

  /** Those of a call. */
  static Shown of(JsonNode args) {
    ArgumentText text = new ArgumentText();
    if (args.isObject() && !args.isEmpty()) {
      args.properties()
          .forEach(
              each ->
                  text.add(
                      "/" + each.getKey().replace("~", "~0").replace("/", "~1"),
                      JsonNodeFactory.instance.textNode(each.getKey())
                          + ": "
                          + each.getValue().toPrettyString()));
    } else {
      text.add("all of them", args.toPrettyString());
    }
    return new Shown(text.blocks.stream().map(StringBuilder::toString).toList(), text.named());
  }

  private List<String> named() {
    if (missing.size() <= MAX_NAMED) {
      return missing;
    }
    List<String> named = new ArrayList<>(missing.subList(0, MAX_NAMED));
    named.add("and " + (missing.size() - MAX_NAMED) + " more arguments");
    return named;
  }

  private void add(String name, String json) {
    int[] points = json.replace("\r\n", "\n").codePoints().toArray();
    List<String> written = new ArrayList<>(points.length);
    int length = 0;
    for (int point : points) {
      String each = written(point);
      written.add(each);
      length += each.length();
    }
    int room = Math.min(MAX_BLOCK, left);
    if (length <= room) {
      put(String.join("", written));
      return;
    }
    int shown = 0;
    if (room >= LEAST) {
      StringBuilder beginning = new StringBuilder();
      while (beginning.length() + written.get(shown).length() < room) {
        beginning.append(written.get(shown++));
      }
      put(beginning.append('…').toString());
    }
    missing.add(
        SlackText.line(name, MAX_NAME)
            + ": "
            + (points.length - shown)
            + " of its "
            + points.length
            + " characters");
  }

  private void put(String text) {
    StringBuilder last = blocks.isEmpty() ? null : blocks.getLast();
    if (last != null && last.length() + 1 + text.length() <= MAX_BLOCK) {
      last.append('\n').append(text);
    } else {
      blocks.add(new StringBuilder(text));
    }
    left -= text.length() + 1;
  }

  /** In JSON all of these stand within strings only, but for the newline. */
  private static String written(int point) {
    return switch (point) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '\n', ' ' -> Character.toString(point);
      case '`' -> unicode("`");
      default -> isSeen(point) ? Character.toString(point) : unicode(Character.toString(point));
    };
  }

  private static String unicode(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars().forEach(each -> escaped.append(String.format("\\u%04x", each)));
    return escaped.toString();
  }

  private static boolean isSeen(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
