package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a principal may do at the gateway (API.md, common rules). */
public enum Role implements WireName {
  /** Proposes calls and owns their sessions. */
  AGENT("agent"),
  /** Attests. */
  WITNESS("witness"),
  /** Sees and resolves every call of its organization. */
  OPERATOR("operator"),
  /** Proposes policy changes. */
  POLICY_OWNER("policy-owner"),
  /** Takes client leases of its project's calls. */
  WORKER("worker");

  private final String wireName;

  Role(String wireName) {
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
  public static Role of(String wireName) {
    return WireName.parse(Role.class, wireName);
  }
}
