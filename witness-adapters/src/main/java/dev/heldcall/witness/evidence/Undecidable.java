package dev.heldcall.witness.evidence;

import dev.heldcall.plugin.api.WitnessAnswer;

/**
 * The witness cannot tell of this call, whatever the other side would say: something that it needs
 * is missing, hidden or of another kind. Its message is for a person and repeats no argument.
 */
public final class Undecidable extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * @param reason what is missing, for a person
   */
  public Undecidable(String reason) {
    super(reason, null, false, false);
  }

  /** As an answer: a dearer witness is asked. */
  public WitnessAnswer answer() {
    return new WitnessAnswer.Deferred(String.valueOf(getMessage()));
  }
}
