package dev.heldcall.kernel.call;

/**
 * Divides calls into slices: due calls are woken a slice at a time, each on one node. How many
 * there are is part of every database: it never changes.
 */
public final class Slices {

  /** How many slices there are. */
  public static final int COUNT = 4;

  private Slices() {}

  /** The slice that a call belongs to, from 0. */
  public static int of(String heldId) {
    return Math.floorMod(heldId.hashCode(), COUNT);
  }
}
