package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** Whether the result may be seen. */
public enum Admission implements WireName {
  /** There is none yet. */
  PENDING("pending"),
  /** It may. */
  ADMITTED("admitted"),
  /** It may not. */
  QUARANTINED("quarantined");

  private final String wireName;

  Admission(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
