package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What came of a governed call that a provider asked for. */
public sealed interface NestedOutcome {

  /** Its id. */
  String heldId();

  /**
   * It ran and its result was admitted.
   *
   * @param succeeded whether the tool answered with success
   */
  record Ran(String heldId, boolean succeeded, @Nullable JsonNode content)
      implements NestedOutcome {}

  /** Its result was quarantined: it may not be seen. */
  record Quarantined(String heldId) implements NestedOutcome {}
}
