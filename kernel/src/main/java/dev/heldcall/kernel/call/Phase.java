package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** A single word for display, derived from the facts; nothing is decided by it. */
public enum Phase implements WireName {
  /** Allowed, and waiting for a dependency. */
  PROPOSED("PROPOSED"),
  /** Waiting for evidence. */
  HELD("HELD"),
  /** Ready to run. */
  READY_FOR_LEASE("READY_FOR_LEASE"),
  /** Running. */
  LEASED("LEASED"),
  /** Outcome on record, not admitted yet. */
  EFFECT_RECORDED("EFFECT_RECORDED"),
  /** Outcome waiting for the session. */
  DELIVERY_PENDING("DELIVERY_PENDING"),
  /** The session has it. */
  DELIVERED("DELIVERED"),
  /** Ended without an effect. */
  TERMINAL_NO_EFFECT("TERMINAL_NO_EFFECT"),
  /** Dispatched, outcome unknown. */
  OUTCOME_UNKNOWN("OUTCOME_UNKNOWN");

  private final String wireName;

  Phase(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
