package dev.heldcall.kernel.witness;

/** A text that is no witness rule; the message says where, what was expected and what is there. */
public final class RuleSyntaxException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final int position;
  private final String expected;
  private final String found;

  RuleSyntaxException(int position, String expected, String found) {
    super("at position " + position + ": expected " + expected + ", found " + found);
    this.position = position;
    this.expected = expected;
    this.found = found;
  }

  /** Where it went wrong: an index into the text, from 0. */
  public int position() {
    return position;
  }

  /** What could have stood there. */
  public String expected() {
    return expected;
  }

  /** What stands there. */
  public String found() {
    return found;
  }
}
