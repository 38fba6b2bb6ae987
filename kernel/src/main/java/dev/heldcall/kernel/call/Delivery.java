package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** Whether the session has its outcome. */
public enum Delivery implements WireName {
  /** Not handed over yet. */
  PENDING("pending"),
  /** Handed to a webhook, not acknowledged. */
  DELIVERED("delivered"),
  /** The session has it. */
  ACKNOWLEDGED("acknowledged");

  private final String wireName;

  Delivery(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
