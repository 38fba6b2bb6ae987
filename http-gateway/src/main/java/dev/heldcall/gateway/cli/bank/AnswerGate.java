package dev.heldcall.gateway.cli.bank;

/**
 * Asked after the bank made an effect and before it answers: the moment that the demo's crash
 * happens in.
 */
@FunctionalInterface
public interface AnswerGate {

  /** Answers at once. */
  AnswerGate OPEN = effect -> true;

  /**
   * Waits as long as it likes.
   *
   * @return true to answer, false to drop the connection without an answer
   */
  boolean mayAnswer(Effect effect) throws InterruptedException;
}
