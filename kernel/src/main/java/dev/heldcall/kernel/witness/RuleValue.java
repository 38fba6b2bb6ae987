package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.WireName;

/** The three values of a witness rule. */
public enum RuleValue implements WireName {
  /** The rule holds. */
  TRUE("true"),
  /** The rule can no longer hold, unless evidence is revoked. */
  FALSE("false"),
  /** Neither yet. */
  UNKNOWN("unknown");

  private final String wireName;

  RuleValue(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
