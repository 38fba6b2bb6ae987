package dev.heldcall.kernel.readside;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** RFC 3339 UTC with milliseconds, always three digits. */
public final class Timestamps {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** The spelling on the wire. */
  public static String text(Instant instant) {
    return FORM.format(instant);
  }
}
