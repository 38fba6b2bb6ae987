package dev.heldcall.kernel.execute;

/** What came of one request on a connection of its own. */
sealed interface Exchange {

  /**
   * No byte of the request left, and none will.
   *
   * @param reason in the kernel's own words
   */
  record NotSent(String reason) implements Exchange {}

  /**
   * At least one byte of the request left, and no answer's head came back.
   *
   * @param reason in the kernel's own words
   */
  record Broken(String reason) implements Exchange {}

  /**
   * An answer's whole head came back, and as much of its body as came in time.
   *
   * @param status the status code
   * @param json whether the answer says that it is JSON
   * @param body what came
   */
  record Answer(int status, boolean json, ReceivedBody body) implements Exchange {}
}
