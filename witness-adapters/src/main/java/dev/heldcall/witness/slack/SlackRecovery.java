package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Looks in a channel for the message of a request of which nobody knows whether it was posted. It
 * is known by the request's id, in its metadata or its buttons, and by who posted it: anybody may
 * write the same id.
 */
final class SlackRecovery {

  /** How much earlier than the call Slack's clock may say that the message was posted. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final int MAX_PAGES = 200;

  private final SlackApi api;
  private final int page;
  private final Duration atMost;
  private final InstantSource clock;

  /**
   * @param page how many messages are read at once
   * @param atMost how long looking may take: what is found later is not acted on, because by then
   *     somebody else may be looking
   */
  SlackRecovery(SlackApi api, int page, Duration atMost, InstantSource clock) {
    this.api = api;
    this.page = page;
    this.atMost = atMost;
    this.clock = clock;
  }

  /** What was found. */
  sealed interface Found {

    /** It was posted. */
    record There(SlackReference message) implements Found {}

    /** The channel was read from before the call until now, and it is not there. */
    record NotThere() implements Found {}

    /**
     * Nobody knows yet.
     *
     * @param again whether to look again
     */
    record NotKnown(String why, boolean again) implements Found {}

    /** Nobody will know: there are too many messages to look at. */
    record Lost(String why) implements Found {}
  }

  /** Looks. */
  CompletableFuture<Found> look(WitnessRequest request, String channel) {
    Instant until = clock.instant().plus(atMost);
    return api.read("auth.test", Map.of())
        .thenCompose(
            reply ->
                switch (reply) {
                  case SlackApi.Reply.Failed(String why, boolean again) -> notKnown(why, again);
                  case SlackApi.Reply.Done(JsonNode self) ->
                      pages(new Search(request, channel, self, until), null, 1);
                });
  }

  private static CompletableFuture<Found> notKnown(String why, boolean again) {
    return found(new Found.NotKnown(why, again));
  }

  private static CompletableFuture<Found> found(Found found) {
    return CompletableFuture.completedFuture(found);
  }

  private CompletableFuture<Found> tooLate() {
    return notKnown("reading the channel took more than " + DurationText.of(atMost), true);
  }

  private CompletableFuture<Found> pages(Search search, @Nullable String cursor, int number) {
    if (number > MAX_PAGES) {
      return found(
          new Found.Lost(
              "more than " + MAX_PAGES * page + " messages were posted there since the call"));
    }
    if (search.isLate(clock.instant())) {
      return tooLate();
    }
    Map<String, String> arguments = new TreeMap<>();
    arguments.put("channel", search.channel());
    arguments.put("oldest", seconds(search.request().createdAt().minus(SKEW)));
    arguments.put("inclusive", "true");
    arguments.put("include_all_metadata", "true");
    arguments.put("limit", Integer.toString(page));
    if (cursor != null) {
      arguments.put("cursor", cursor);
    }
    return api.read("conversations.history", arguments)
        .thenCompose(
            reply ->
                switch (reply) {
                  case SlackApi.Reply.Failed(String why, boolean again) -> notKnown(why, again);
                  case SlackApi.Reply.Done(JsonNode body) -> read(search, body, number);
                });
  }

  private CompletableFuture<Found> read(Search search, JsonNode body, int number) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray()) {
      return notKnown("conversations.history failed: its answer has no messages", true);
    }
    for (JsonNode message : messages) {
      SlackReference reference = search.isIt(message);
      if (reference != null) {
        return found(new Found.There(reference));
      }
    }
    String next = body.path("response_metadata").path("next_cursor").asText();
    if (!next.isEmpty()) {
      return pages(search, next, number + 1);
    }
    if (body.path("has_more").asBoolean()) {
      return notKnown("conversations.history failed: it has more, and does not say where", true);
    }
    return search.isLate(clock.instant()) ? tooLate() : found(new Found.NotThere());
  }

  private static String seconds(Instant time) {
    return Math.max(0, time.getEpochSecond()) + ".000000";
  }

  /**
   * What is looked for.
   *
   * @param self who this bot is, as auth.test says
   * @param until when looking ends
   */
  private record Search(WitnessRequest request, String channel, JsonNode self, Instant until) {

    boolean isLate(Instant now) {
      return !now.isBefore(until);
    }

    /** The message's reference, or null if it is another's. */
    @Nullable SlackReference isIt(JsonNode message) {
      boolean isIt = isOurs(message) && (isInMetadata(message) || isInButtons(message));
      return isIt ? SlackReference.of(channel, message.path("ts").asText()) : null;
    }

    private boolean isOurs(JsonNode message) {
      String bot = self.path("bot_id").asText();
      return bot.isEmpty()
          ? same(self.path("user_id").asText(), message.path("user"))
          : same(bot, message.path("bot_id"));
    }

    private static boolean same(String id, JsonNode other) {
      return !id.isEmpty() && id.equals(other.asText());
    }

    private boolean isInMetadata(JsonNode message) {
      JsonNode metadata = message.path("metadata");
      return metadata.path("event_type").asText().equals(RequestMessage.EVENT_TYPE)
          && metadata.path("event_payload").path("request_id").asText().equals(request.requestId());
    }

    private boolean isInButtons(JsonNode message) {
      String wanted = ButtonValue.blockId(request.requestId());
      for (JsonNode block : message.path("blocks")) {
        if (block.path("block_id").asText().equals(wanted)) {
          return true;
        }
      }
      return false;
    }
  }
}
