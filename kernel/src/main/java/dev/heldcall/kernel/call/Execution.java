package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** How far the effect is. */
public enum Execution implements WireName {
  /** No lease, or proof that the last one had no effect. */
  NONE("none"),
  /** Dispatched, no outcome yet. */
  LEASED("leased"),
  /** The outcome is on record. */
  EFFECT_RECORDED("effect-recorded"),
  /** Dispatched, and nobody knows what came of it. */
  OUTCOME_UNKNOWN("outcome-unknown");

  private final String wireName;

  Execution(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
