package dev.heldcall.kernel.explore;

/** Something that must never be. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what) {
    super(what);
  }

  static void demand(boolean holds, String what) {
    if (!holds) {
      throw new Violation(what);
    }
  }
}
