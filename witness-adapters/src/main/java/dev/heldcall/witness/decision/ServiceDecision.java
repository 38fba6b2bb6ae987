package dev.heldcall.witness.decision;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What a decision service's answer means. */
sealed interface ServiceDecision {

  /**
   * It decided.
   *
   * @param allows whether for the call, or against it
   * @param reason its words, or null
   * @param result what it decided with, for the evidence's digest
   * @param id what it calls the decision, or null
   * @param policy which policy decided, an object, or null
   */
  record Decided(
      boolean allows,
      @Nullable String reason,
      JsonNode result,
      @Nullable String id,
      @Nullable JsonNode policy)
      implements ServiceDecision {}

  /** It was reached and has nothing to say of the call. */
  record Undecided(String why) implements ServiceDecision {}

  /** It cannot be understood, or speaks of another call. */
  record NotUsable(String why) implements ServiceDecision {}
}
