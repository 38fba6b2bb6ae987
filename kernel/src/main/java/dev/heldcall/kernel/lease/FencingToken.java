package dev.heldcall.kernel.lease;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Orders the leases of one call: by generation, then by attempt. A tool that remembers the highest
 * token it saw refuses every older lease.
 *
 * @param generation from 1
 * @param attempt from 1 within the generation
 */
public record FencingToken(int generation, int attempt) implements Comparable<FencingToken> {

  public FencingToken {
    if (generation < 1 || attempt < 1) {
      throw new IllegalArgumentException("a fencing token counts from 1.1");
    }
  }

  /**
   * Reads {@code generation.attempt}.
   *
   * @throws IllegalArgumentException if it is spelt otherwise
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static FencingToken parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 1) {
      throw new IllegalArgumentException("expected generation.attempt, found '" + text + "'");
    }
    return new FencingToken(
        Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
  }

  @Override
  public int compareTo(FencingToken other) {
    int byGeneration = Integer.compare(generation, other.generation);
    return byGeneration != 0 ? byGeneration : Integer.compare(attempt, other.attempt);
  }

  @Override
  @JsonValue
  public String toString() {
    return generation + "." + attempt;
  }
}
