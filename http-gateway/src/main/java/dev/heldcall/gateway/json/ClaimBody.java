package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * The body that takes witness requests from the queue.
 *
 * @param witnessClass the class whose requests are wanted
 * @param limit the most of them
 * @param lease after which they are handed to others again
 * @param longest how long to wait for one
 */
public record ClaimBody(String witnessClass, int limit, Duration lease, Duration longest) {

  private static final int MAX_LIMIT = 100;
  private static final int DEFAULT_LIMIT = 10;
  private static final int MIN_LEASE_MILLIS = 1_000;
  private static final int MAX_LEASE_MILLIS = 3_600_000;
  private static final int DEFAULT_LEASE_MILLIS = 60_000;

  /**
   * Reads it.
   *
   * @param maxWait the longest wait that may be asked for
   */
  public static Decoded<ClaimBody> read(JsonNode body, Duration maxWait) {
    ObjectReader in = ObjectReader.of(body);
    String witnessClass = in.id("class");
    Long limit = in.optionalInteger("limit", 1, MAX_LIMIT);
    Long lease = in.optionalInteger("lease_ms", MIN_LEASE_MILLIS, MAX_LEASE_MILLIS);
    Long wait = in.optionalInteger("wait_ms", 0, maxWait.toMillis());
    return in.finish(
        () ->
            new ClaimBody(
                witnessClass,
                limit == null ? DEFAULT_LIMIT : limit.intValue(),
                Duration.ofMillis(lease == null ? DEFAULT_LEASE_MILLIS : lease),
                Duration.ofMillis(wait == null ? 0 : wait)));
  }
}
