package dev.heldcall.plugin.api;

import java.time.Duration;

/** Durations as settings have them and as people read them: 250ms, 10s, 5m, 36h, 7d. */
public final class DurationText {

  private static final long[] MILLIS = {86_400_000, 3_600_000, 60_000, 1_000};
  private static final String[] UNITS = {"d", "h", "m", "s"};

  private DurationText() {}

  /**
   * The text, in the largest unit that shows it whole.
   *
   * @param duration to the millisecond; what is below that is left out
   */
  public static String of(Duration duration) {
    long millis = duration.toMillis();
    for (int i = 0; i < UNITS.length; i++) {
      if (millis != 0 && millis % MILLIS[i] == 0) {
        return millis / MILLIS[i] + UNITS[i];
      }
    }
    return millis == 0 ? "0s" : millis + "ms";
  }
}
