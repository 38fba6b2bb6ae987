package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** What is known of one lease's dispatch. */
public enum LeaseState implements WireName {
  /** Under way. */
  DISPATCHED("dispatched"),
  /** Proven to have had none. */
  NO_EFFECT("no-effect"),
  /** Nobody knows. */
  UNKNOWN("unknown"),
  /** Its outcome is on record. */
  EFFECT("effect");

  private final String wireName;

  LeaseState(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
