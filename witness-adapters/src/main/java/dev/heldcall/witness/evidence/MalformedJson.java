package dev.heldcall.witness.evidence;

/** A posted document that is not what it should be, and where. */
public final class MalformedJson extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param place a field, a line and column, or "" for all of it
   * @param expected what was expected there
   */
  public MalformedJson(String place, String expected) {
    super((place.isEmpty() ? "" : place + ": ") + "expected " + expected, null, false, false);
  }

  /** The place and what was expected there, for whoever posted it. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
