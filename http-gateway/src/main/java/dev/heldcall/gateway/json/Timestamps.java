package dev.heldcall.gateway.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** RFC 3339 times: any offset is read, UTC with milliseconds is written. */
public final class Timestamps {

  private static final Pattern FORM =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})");

  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Timestamps() {}

  /** Reads a time; empty if it is not one. */
  public static Optional<Instant> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Writes a time. */
  public static String text(Instant instant) {
    return WRITTEN.format(instant);
  }

  /** Writes a time, or null for none. */
  public static @Nullable String textOrNull(@Nullable Instant instant) {
    return instant == null ? null : text(instant);
  }
}
