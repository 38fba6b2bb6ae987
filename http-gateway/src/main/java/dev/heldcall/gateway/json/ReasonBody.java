package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The body of a cancellation or a revocation; left out, it is an empty object.
 *
 * @param reason the words of whoever asks, or null
 */
public record ReasonBody(@Nullable String reason) {

  /** Reads it. */
  public static Decoded<ReasonBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    String reason = in.optionalProse("reason", Text.MAX_PROSE);
    return in.finish(() -> new ReasonBody(reason));
  }

  /** Reads a body that has no fields at all. */
  public static Decoded<ReasonBody> readEmpty(JsonNode body) {
    return ObjectReader.of(body).finish(() -> new ReasonBody(null));
  }
}
