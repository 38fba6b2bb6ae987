package dev.heldcall.kernel.entity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Duration;

/**
 * How much room a call takes in memory, roughly. Most take next to nothing and may stay for
 * minutes; one with a megabyte of arguments takes thirty as a tree, and a few dozen of these are
 * all that a small heap has.
 */
final class Bulk {

  /** Values of JSON, or 32 characters of text each, from which on a call is bulky. */
  private static final int MANY = 2_000;

  private static final int CHARACTERS = 32;
  private static final Duration BRIEFLY = Duration.ofMillis(250);

  private Bulk() {}

  /** For how long a call may stay in memory without work. */
  static Duration idle(HeldCallFacts facts, Duration usual) {
    int left = MANY;
    if (facts.generation() != null) {
      left = without(facts.generation().args(), left);
    }
    if (facts.outcome() != null && facts.outcome().content() != null) {
      left = without(facts.outcome().content(), left);
    }
    return left >= 0 || usual.compareTo(BRIEFLY) < 0 ? usual : BRIEFLY;
  }

  /** What is left of so many after the value; below zero as soon as it is known. */
  private static int without(JsonNode value, int many) {
    int left = many - 1;
    if (value.isTextual()) {
      return left - value.textValue().length() / CHARACTERS;
    }
    for (JsonNode each : value) {
      if (left < 0) {
        return left;
      }
      left = without(each, left);
    }
    return left;
  }
}
