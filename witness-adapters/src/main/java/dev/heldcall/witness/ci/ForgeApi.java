package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.witness.evidence.HttpEndpoint;
import dev.heldcall.witness.evidence.StrictJson;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The forge's REST API, as GitHub publishes it. What it said under an entity tag is kept, so that
 * looking again at what has not changed costs it nothing.
 */
final class ForgeApi implements AutoCloseable {

  /** How many answers are kept. */
  static final int MAX_KEPT = 256;

  /** Larger ones are read anew each time, in bytes. */
  static final int MAX_KEPT_BYTES = 64 * 1024;

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final Duration DEFAULT_WAIT = Duration.ofMinutes(1);

  private final CiChecksSettings settings;
  private final HttpEndpoint endpoint;
  private final InstantSource clock;

  /** Until when the forge wants to hear nothing, whoever asks. */
  private volatile Instant pausedUntil = Instant.EPOCH;

  private final Map<String, Kept> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
              return size() > MAX_KEPT;
            }
          });

  private record Kept(String tag, JsonNode body) {}

  ForgeApi(CiChecksSettings settings, ProviderContract contract, ProviderServices services) {
    this.settings = settings;
    this.endpoint = new HttpEndpoint(settings.maxAtOnce(), contract, services);
    this.clock = services.clock();
  }

  /** What the forge says. */
  sealed interface Said {
    /** An object. */
    record Body(JsonNode body) implements Said {}

    /** It does not know the commit, or not yet. */
    record Unknown() implements Said {}

    /** It asks to be left alone for a while. */
    record Busy(Duration pause) implements Said {}

    /** Nothing that could be understood. */
    record Nothing(String why) implements Said {}
  }

  /**
   * Gets a resource.
   *
   * @param path its path and query, with a slash at its beginning
   * @return never fails
   */
  CompletableFuture<Said> get(String path) {
    Instant now = clock.instant();
    if (now.isBefore(pausedUntil)) {
      return CompletableFuture.completedFuture(
          new Said.Busy(bounded(Duration.between(now, pausedUntil))));
    }
    String url = settings.api() + path;
    Kept before = kept.get(url);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Accept", "application/vnd.github+json")
            .header("X-GitHub-Api-Version", "2022-11-28")
            .header("User-Agent", "heldcall")
            .GET();
    if (settings.token() != null) {
      request.header("Authorization", "Bearer " + settings.token());
    }
    if (before != null) {
      request.header("If-None-Match", before.tag());
    }
    return endpoint.send(request).thenApply(outcome -> said(url, before, outcome));
  }

  private Said said(String url, @Nullable Kept before, HttpEndpoint.Outcome outcome) {
    return switch (outcome) {
      case HttpEndpoint.Outcome.NotAnswered(String why) ->
          new Said.Nothing("the forge cannot be asked: " + why);
      case HttpEndpoint.Outcome.Answered(HttpResponse<byte[]> response) ->
          switch (response.statusCode()) {
            case 200 -> body(url, response);
            case 304 ->
                before == null
                    ? new Said.Nothing("the forge says that nothing has changed, unasked")
                    : new Said.Body(before.body());
            case 404, 422 -> new Said.Unknown();
            case 403, 429 -> refused(response);
            default ->
                new Said.Nothing("the forge answered with the status " + response.statusCode());
          };
    };
  }

  private Said body(String url, HttpResponse<byte[]> response) {
    JsonNode body = StrictJson.object(response.body());
    if (body == null) {
      return new Said.Nothing("the forge's answer is not one JSON object");
    }
    response
        .headers()
        .firstValue("etag")
        .filter(tag -> tag.length() <= 256 && response.body().length <= MAX_KEPT_BYTES)
        .ifPresent(tag -> kept.put(url, new Kept(tag, body)));
    return new Said.Body(body);
  }

  /** A limit that was reached ends by itself; a token that may not does not. */
  private Said refused(HttpResponse<byte[]> response) {
    OptionalLong after = number(response, "retry-after");
    if (after.isPresent()) {
      return busy(Duration.ofSeconds(after.getAsLong()));
    }
    OptionalLong left = number(response, "x-ratelimit-remaining");
    OptionalLong reset = number(response, "x-ratelimit-reset");
    if (left.isPresent() && left.getAsLong() == 0 && reset.isPresent()) {
      return busy(Duration.between(clock.instant(), Instant.ofEpochSecond(reset.getAsLong())));
    }
    return response.statusCode() == 429
        ? busy(DEFAULT_WAIT)
        : new Said.Nothing("the forge answered with the status 403");
  }

  private Said busy(Duration pause) {
    Duration bounded = bounded(pause);
    pausedUntil = clock.instant().plus(bounded);
    return new Said.Busy(bounded);
  }

  private static Duration bounded(Duration pause) {
    if (pause.compareTo(Duration.ofSeconds(1)) < 0) {
      return Duration.ofSeconds(1);
    }
    return pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause;
  }

  private static OptionalLong number(HttpResponse<byte[]> response, String header) {
    String text = response.headers().firstValue(header).orElse("");
    return text.matches("[0-9]{1,12}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
