package dev.heldcall.witness.slack;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message, as Slack names it.
 *
 * @param channel the channel's id
 * @param ts when it was posted, in seconds with six digits after the point: unique in the channel
 */
record SlackReference(String channel, String ts) {

  private static final Pattern CHANNEL = Pattern.compile("[A-Z0-9]{3,32}");
  private static final Pattern TS = Pattern.compile("[0-9]{1,11}\\.[0-9]{6}");

  /** That of a channel and a time, or null if they are none. */
  static @Nullable SlackReference of(String channel, String ts) {
    return CHANNEL.matcher(channel).matches() && TS.matcher(ts).matches()
        ? new SlackReference(channel, ts)
        : null;
  }

  /** Reads {@link #text}; null if it is none. */
  static @Nullable SlackReference read(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? null : of(text.substring(0, colon), text.substring(colon + 1));
  }

  /** As a route keeps it. */
  String text() {
    return channel + ":" + ts;
  }
}
