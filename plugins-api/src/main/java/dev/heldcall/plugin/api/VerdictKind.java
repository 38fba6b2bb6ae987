package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What policy says of a proposed call; {@link #severity()} orders them within a layer. */
public enum VerdictKind implements WireName {
  /** Never runs. */
  DENY("DENY"),
  /** Runs after outside evidence. */
  REQUIRE_WITNESS("REQUIRE_WITNESS"),
  /** Is rewritten, and judged again. */
  TRANSFORM("TRANSFORM"),
  /** Runs. */
  ALLOW("ALLOW"),
  /** Ask the next layer. */
  DEFER("DEFER"),
  /** Every adjudicator deferred: does not run. */
  INDETERMINATE("INDETERMINATE");

  private final String wireName;

  VerdictKind(String wireName) {
    this.wireName = wireName;
  }

  /** The order in which verdicts of one layer win: the lower, the more restrictive. */
  public int severity() {
    return switch (this) {
      case DENY -> 0;
      case REQUIRE_WITNESS -> 1;
      case TRANSFORM -> 2;
      case ALLOW -> 3;
      case DEFER -> 4;
      case INDETERMINATE -> 5;
    };
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
  public static VerdictKind of(String wireName) {
    return WireName.parse(VerdictKind.class, wireName);
  }
}
