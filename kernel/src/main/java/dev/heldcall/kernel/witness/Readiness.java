package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.WireName;

/**
 * What the evidence amounts to. That it is <em>stale</em> is not for the rule to say: policy and
 * generation decide that.
 */
public enum Readiness implements WireName {
  /** Evidence is wanted. */
  UNSATISFIED("unsatisfied"),
  /** The rule is true and nobody vetoes. */
  SATISFIED("satisfied"),
  /** The rule is false, or a veto class denies. */
  REFUTED("refuted");

  private final String wireName;

  Readiness(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
