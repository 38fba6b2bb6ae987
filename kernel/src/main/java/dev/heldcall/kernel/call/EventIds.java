package dev.heldcall.kernel.call;

/** Event ids count from {@code ev-1} within a call. */
final class EventIds {

  private static final String PREFIX = "ev-";

  private EventIds() {}

  static String of(long number) {
    return PREFIX + number;
  }

  /** The number in the id, or 0 if it has none: an id that is not ours counts for nothing. */
  static long number(String eventId) {
    if (!eventId.startsWith(PREFIX)) {
      return 0;
    }
    long number = 0;
    for (int i = PREFIX.length(); i < eventId.length(); i++) {
      int digit = Character.digit(eventId.charAt(i), 10);
      if (digit < 0 || number > 1L << 50) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
