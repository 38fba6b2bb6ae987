package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.HeldCallFacts;

/** What an entity tells those who wait for it, for those who simulate an entity. */
public final class Settlements {

  private Settlements() {}

  /** What is told to a watcher. */
  public static HeldCallProtocol.Watched of(String heldId, HeldCallFacts facts, boolean child) {
    return Settlement.of(heldId, facts, child);
  }
}
