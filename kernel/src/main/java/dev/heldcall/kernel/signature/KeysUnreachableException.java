package dev.heldcall.kernel.signature;

/** The keys that a signature had to be verified with could not be read: try again later. */
public final class KeysUnreachableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * For a person.
   *
   * @param reason what could not be read, and why
   */
  public KeysUnreachableException(String reason) {
    super(reason, null, false, false);
  }
}
