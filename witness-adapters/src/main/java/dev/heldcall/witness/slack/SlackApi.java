package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.witness.evidence.HttpEndpoint;
import dev.heldcall.witness.evidence.StrictJson;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Slack's Web API. It answers 200 also when it refuses, and says which in {@code ok} and {@code
 * error}; a method whose rate is over its limit is left alone for as long as Slack asks.
 */
final class SlackApi implements AutoCloseable {

  /** What stays so until somebody changes the app, the channel or the settings. */
  private static final Set<String> LASTING =
      Set.of(
          "account_inactive",
          "cant_update_message",
          "channel_not_found",
          "edit_window_closed",
          "invalid_arguments",
          "invalid_auth",
          "invalid_blocks",
          "is_archived",
          "message_not_found",
          "missing_scope",
          "msg_blocks_too_long",
          "msg_too_long",
          "no_permission",
          "not_authed",
          "not_in_channel",
          "restricted_action",
          "thread_not_found",
          "token_expired",
          "token_revoked");

  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY = 429;

  private final SlackSettings settings;
  private final HttpEndpoint endpoint;
  private final InstantSource clock;
  private final Map<String, Instant> pausedUntil = new ConcurrentHashMap<>();

  SlackApi(SlackSettings settings, ProviderContract contract, ProviderServices services) {
    this.settings = settings;
    this.endpoint = new HttpEndpoint(settings.maxAtOnce(), contract, services);
    this.clock = services.clock();
  }

  /** What a method came to. */
  sealed interface Reply {

    /**
     * It did what it was told.
     *
     * @param body what it says
     */
    record Done(JsonNode body) implements Reply {}

    /**
     * It did not, or nobody knows.
     *
     * @param why for a person
     * @param again whether the same may be done later
     */
    record Failed(String why, boolean again) implements Reply {}
  }

  /** Calls a method that changes something. */
  CompletableFuture<Reply> change(String method, JsonNode arguments) {
    return call(
        method,
        "application/json; charset=utf-8",
        BodyPublishers.ofString(arguments.toString(), StandardCharsets.UTF_8));
  }

  /** Calls a method that reads. */
  CompletableFuture<Reply> read(String method, Map<String, String> arguments) {
    String form =
        arguments.entrySet().stream()
            .map(each -> each.getKey() + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return call(
        method,
        "application/x-www-form-urlencoded",
        BodyPublishers.ofString(form, StandardCharsets.UTF_8));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Sends an answer to a click to where Slack wants it. Its failure changes nothing. */
  CompletableFuture<HttpEndpoint.Outcome> answer(URI url, JsonNode message) {
    return endpoint.send(
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json; charset=utf-8")
            .POST(BodyPublishers.ofString(message.toString(), StandardCharsets.UTF_8)));
  }

  private CompletableFuture<Reply> call(
      String method, String contentType, HttpRequest.BodyPublisher body) {
    Instant until = pausedUntil.get(method);
    if (until != null && clock.instant().isBefore(until)) {
      return CompletableFuture.completedFuture(
          failed(method, "Slack asked to be left alone until " + until, true));
    }
    return endpoint
        .send(
            HttpRequest.newBuilder(URI.create(settings.api() + "/" + method))
                .header("Authorization", "Bearer " + settings.token())
                .header("Content-Type", contentType)
                .POST(body))
        .thenApply(outcome -> reply(method, outcome));
  }

  private Reply reply(String method, HttpEndpoint.Outcome outcome) {
    return switch (outcome) {
      case HttpEndpoint.Outcome.NotAnswered(String why) -> failed(method, why, true);
      case HttpEndpoint.Outcome.Answered(HttpResponse<byte[]> response) ->
          response.statusCode() == 200 ? said(method, response) : refused(method, response);
    };
  }

  private Reply said(String method, HttpResponse<byte[]> response) {
    JsonNode body = StrictJson.object(response.body());
    if (body == null || !body.path("ok").isBoolean()) {
      return failed(method, "its answer is not one of Slack's", true);
    }
    if (body.path("ok").booleanValue()) {
      return new Reply.Done(body);
    }
    String error = body.path("error").asText();
    String word = WORD.matcher(error).matches() ? error : "an error without a name";
    if (word.equals("ratelimited") || word.equals("rate_limited")) {
      return limited(method, response);
    }
    return failed(method, "it answered " + word, !LASTING.contains(word));
  }

  private Reply refused(String method, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status == TOO_MANY) {
      return limited(method, response);
    }
    return failed(
        method,
        "it answered with the status " + status,
        status >= 500 || status == REQUEST_TIMEOUT);
  }

  private Reply limited(String method, HttpResponse<byte[]> response) {
    String after = response.headers().firstValue("Retry-After").orElse("");
    if (!SECONDS.matcher(after).matches()) {
      return failed(method, "its rate is over Slack's limit (ratelimited)", true);
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(after));
    Duration pause = asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
    pausedUntil.put(method, clock.instant().plus(pause));
    return failed(
        method,
        "its rate is over Slack's limit (ratelimited), for " + DurationText.of(pause) + " more",
        true);
  }

  private static Reply failed(String method, String why, boolean again) {
    return new Reply.Failed(method + " failed: " + why, again);
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
