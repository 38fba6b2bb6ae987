package dev.heldcall.gateway.cli.demo;

/** A claim of the demo that did not hold. */
public final class DemoFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * A failure.
   *
   * @param claim what should have held
   * @param expected in words
   * @param found in words
   */
  public DemoFailure(String claim, String expected, String found) {
    super(claim + "\n  expected: " + expected + "\n  found:    " + found);
  }
}
