package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The limits of messages as docs.slack.dev has them ("Block Kit", "chat.postMessage"). */
final class BlockKit {

  private static final int MAX_BLOCKS = 50;
  private static final int MAX_ALL_BLOCKS = 12_000;

  private BlockKit() {}

  /** The word that Slack refuses a message with, or null if it takes it. */
  static @Nullable String problem(JsonNode message) {
    if (message.path("text").asText().isEmpty() || message.path("text").asText().length() > 4000) {
      return "no_text";
    }
    JsonNode blocks = message.path("blocks");
    if (!blocks.isArray() || blocks.isEmpty() || blocks.size() > MAX_BLOCKS) {
      return "invalid_blocks";
    }
    if (blocks.toString().length() > MAX_ALL_BLOCKS) {
      return "msg_blocks_too_long";
    }
    for (JsonNode block : blocks) {
      if (!isBlock(block)) {
        return "invalid_blocks";
      }
    }
    return null;
  }

  private static boolean isBlock(JsonNode block) {
    if (block.path("block_id").asText().length() > 255) {
      return false;
    }
    return switch (block.path("type").asText()) {
      case "header" -> isText(block.path("text"), 150) && isPlain(block.path("text"));
      case "section" -> isSection(block);
      case "context" -> all(block.path("elements"), 10, each -> isText(each, 3000));
      case "actions" -> isActions(block.path("elements"));
      default -> false;
    };
  }

  private static boolean isSection(JsonNode block) {
    boolean hasText = block.has("text");
    return (hasText || block.has("fields"))
        && (!hasText || isText(block.path("text"), 3000))
        && (!block.has("fields") || all(block.path("fields"), 10, each -> isText(each, 2000)));
  }

  private static boolean isActions(JsonNode elements) {
    Set<String> ids = new HashSet<>();
    return all(
        elements,
        25,
        each ->
            each.path("type").asText().equals("button")
                && isText(each.path("text"), 75)
                && isPlain(each.path("text"))
                && each.path("value").asText().length() <= 2000
                && each.path("action_id").asText().length() <= 255
                && ids.add(each.path("action_id").asText())
                && List.of("primary", "danger").contains(each.path("style").asText()));
  }

  private static boolean isPlain(JsonNode text) {
    return text.path("type").asText().equals("plain_text");
  }

  /** Which of the optional fields there may be depends on the type. */
  private static boolean isText(JsonNode text, int most) {
    int length = text.path("text").asText().length();
    boolean known =
        isPlain(text)
            ? !text.has("verbatim")
            : text.path("type").asText().equals("mrkdwn") && !text.has("emoji");
    return known && length > 0 && length <= most;
  }

  private interface Check {
    boolean holds(JsonNode each);
  }

  private static boolean all(JsonNode list, int most, Check check) {
    return list.isArray()
        && !list.isEmpty()
        && list.size() <= most
        && StreamSupport.stream(list.spliterator(), false).allMatch(check::holds);
  }
}
