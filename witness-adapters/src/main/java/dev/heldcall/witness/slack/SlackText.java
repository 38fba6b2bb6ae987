package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.witness.evidence.ForeignText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Text objects of a message. What comes from a call is in {@code plain_text}, which Slack shows as
 * it is, or escaped: in {@code mrkdwn}, {@code <} begins a mention, a link or a broadcast.
 */
final class SlackText {

  /** The most characters of a text object. */
  static final int MAX = 3000;

  private SlackText() {}

  /** Shown as it is: no mention, no link, no emoji. */
  static ObjectNode plain(String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "plain_text")
        .put("text", text)
        .put("emoji", false);
  }

  /** Markup of ours; what is foreign in it must be {@link #escaped}. */
  static ObjectNode markup(String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "mrkdwn")
        .put("text", text)
        .put("verbatim", true);
  }

  /** A text as Slack wants it in markup. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Foreign words on one line; an ellipsis after so many characters. */
  static String line(String text, int most) {
    String line = ForeignText.line(text);
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most)) + "…";
  }

  /** A link of ours. */
  static String link(String url, String words) {
    return "<" + escaped(url).replace("|", "%7C") + "|" + words + ">";
  }

  /** A time, which everybody sees by the clock of where they are; null if there is none. */
  static @Nullable String time(@Nullable Instant time) {
    return time == null
        ? null
        : "<!date^"
            + time.getEpochSecond()
            + "^{date_short_pretty} {time_secs}|"
            + Instant.ofEpochSecond(time.getEpochSecond())
            + ">";
  }
}
