package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** Whether the call may still run; an end is a fact and is never undone. */
public enum Lifecycle implements WireName {
  /** It may. */
  OPEN("open"),
  /** Somebody cancelled it before dispatch. */
  CANCELLED("cancelled"),
  /** Its time ran out before dispatch. */
  EXPIRED("expired"),
  /** Policy, a witness or a dependency refused it. */
  DENIED("denied");

  private final String wireName;

  Lifecycle(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
