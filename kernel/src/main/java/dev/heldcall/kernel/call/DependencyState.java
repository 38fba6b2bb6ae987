package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** What is known of a call that this one waits for. */
public enum DependencyState implements WireName {
  /** Nothing final. */
  PENDING("pending"),
  /** It succeeded and was admitted; for a child: it has settled. */
  SATISFIED("satisfied"),
  /** It failed or was refused. */
  REFUSED("refused");

  private final String wireName;

  DependencyState(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
