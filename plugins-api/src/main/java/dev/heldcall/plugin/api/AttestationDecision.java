package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a witness says of the call. */
public enum AttestationDecision implements WireName {
  /** The witness stands for the call. */
  APPROVE("approve"),
  /** The witness stands against the call. */
  DENY("deny");

  private final String wireName;

  AttestationDecision(String wireName) {
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
  public static AttestationDecision of(String wireName) {
    return WireName.parse(AttestationDecision.class, wireName);
  }
}
