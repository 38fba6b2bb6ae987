package dev.heldcall.gateway.crash;

import java.util.List;

/**
 * What came of one crash.
 *
 * @param reached whether the process got to the point and died there
 * @param answered how many requests of the story were answered
 * @param lost how many were sent and not answered, for the process died
 * @param recovered what the next processes did about calls that the crash had left in doubt
 * @param wrong what is not as it must be; empty if all is
 */
record Outcome(
    CrashCase what,
    boolean reached,
    int answered,
    int lost,
    List<String> recovered,
    List<String> wrong) {

  /** What every outcome says that is neither wrong nor missing. */
  static final String LOST = " lost; ";

  /** In a few words. */
  String words() {
    if (!wrong.isEmpty()) {
      return "**wrong**";
    }
    if (!reached) {
      return "not reached";
    }
    String doubt = recovered.isEmpty() ? "went on" : String.join(", ", recovered);
    return lost + " of " + (answered + lost) + LOST + doubt;
  }
}
