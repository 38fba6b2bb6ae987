package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Where in an agent's work a call stands; all but {@link #TOOL} hold reviewed content without an
 * executor.
 */
public enum Boundary implements WireName {
  /** A tool call. */
  TOOL("tool"),
  /** A plan under review. */
  PLAN("plan"),
  /** A round of work under review. */
  ROUND("round"),
  /** A dispatch under review. */
  DISPATCH("dispatch");

  private final String wireName;

  Boundary(String wireName) {
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
  public static Boundary of(String wireName) {
    return WireName.parse(Boundary.class, wireName);
  }
}
