package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Durations as rules spell them: a count and one of {@code ms, s, m, h, d}. */
final class RuleDuration {

  /** What messages say of a duration that is none. */
  static final String EXPECTED = "a duration from 1ms to 3650d, such as 10m";

  private record Unit(String name, long millis) {}

  private static final List<Unit> UNITS =
      List.of(
          new Unit("d", 86_400_000L),
          new Unit("h", 3_600_000L),
          new Unit("m", 60_000L),
          new Unit("s", 1_000L),
          new Unit("ms", 1L));

  private static final long MAX_MILLIS = 3_650 * 86_400_000L;
  private static final int MAX_DIGITS = 15;

  private RuleDuration() {}

  /** Reads a duration; empty if it is not spelt as one or is out of bounds. */
  static Optional<Duration> parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > MAX_DIGITS) {
      return Optional.empty();
    }
    long count = Long.parseLong(text.substring(0, digits));
    String name = text.substring(digits);
    return UNITS.stream()
        .filter(unit -> unit.name().equals(name))
        .filter(unit -> count >= 1 && count <= MAX_MILLIS / unit.millis())
        .findFirst()
        .map(unit -> Duration.ofMillis(count * unit.millis()));
  }

  /**
   * The spelling in the largest unit that divides it.
   *
   * @throws IllegalArgumentException if it is out of bounds or has a part of a millisecond
   */
  static String text(Duration duration) {
    if (duration.isNegative()
        || duration.isZero()
        || duration.compareTo(Duration.ofMillis(MAX_MILLIS)) > 0
        || !duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException("expected " + EXPECTED + ", found " + duration);
    }
    return DurationText.of(duration);
  }
}
