package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What happens to a call whose rule can no longer become true. */
public enum OnRefuted implements WireName {
  /** The call ends as denied. */
  DENY("deny"),
  /** The call stays held, so that a revocation can still change the value. */
  HOLD("hold");

  private final String wireName;

  OnRefuted(String wireName) {
    this.wireName = wireName;
  }

  @Override
  @JsonValue
  public String wireName() {
    return wireName;
  }

  /**
   * Reads the wire spelling.
   *
   * @throws IllegalArgumentException naming the spellings that exist
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static OnRefuted of(String wireName) {
    return WireName.parse(OnRefuted.class, wireName);
  }
}
