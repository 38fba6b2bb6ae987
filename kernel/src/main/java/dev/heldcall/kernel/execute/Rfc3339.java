package dev.heldcall.kernel.execute;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as they are written everywhere: RFC 3339, UTC, exactly three digits of fraction. */
final class Rfc3339 {

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Rfc3339() {}

  static String millis(Instant time) {
    return MILLIS.format(time);
  }
}
