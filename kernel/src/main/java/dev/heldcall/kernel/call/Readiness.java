package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** What the witness rule says of the evidence at hand. */
public enum Readiness implements WireName {
  /** More is needed. */
  UNSATISFIED("unsatisfied"),
  /** All is there, or nothing is asked for. */
  SATISFIED("satisfied"),
  /** The evidence was given under a contract that no longer stands. */
  STALE("stale"),
  /** The rule cannot become true. */
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
