package dev.heldcall.kernel.signature;

/** Why a signature proves nothing: caught where it is looked at, and never gets further. */
public final class SignatureProblem extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * A reason for a person; it shows no secret and nothing that was not in the envelope.
   *
   * @param reason what is wrong
   */
  public SignatureProblem(String reason) {
    super(reason, null, false, false);
  }

  /** What is wrong. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
