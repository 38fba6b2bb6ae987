package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The body that asks for a client lease.
 *
 * @param generation the generation that the worker has seen
 * @param worker the worker's own name, or null
 */
public record LeaseBody(int generation, @Nullable String worker) {

  /** Reads it. */
  public static Decoded<LeaseBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    int generation = (int) in.integer("generation", 1, Integer.MAX_VALUE);
    String worker = in.optionalText("worker", Text.MAX_ID);
    return in.finish(() -> new LeaseBody(generation, worker));
  }
}
