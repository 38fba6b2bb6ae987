package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** How an outcome is known. */
public enum OutcomeSource implements WireName {
  /** The tool answered its dispatch. */
  ANSWER("answer"),
  /** The tool's read-back showed the effect. */
  READ_BACK("read-back"),
  /** The worker that held the lease reported it. */
  WORKER("worker"),
  /** An operator resolved it. */
  RESOLUTION("resolution");

  private final String wireName;

  OutcomeSource(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
