package dev.heldcall.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import dev.heldcall.plugin.api.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A kind of value with its bounds.
 *
 * @param expected how an error describes it
 * @param reading takes the value from under {@code v}; null says that it is out of bounds
 */
record Quantity<T>(String expected, Reading<T> reading) {

  /** Takes the value from under {@code v}. */
  interface Reading<T> {
    @Nullable T of(Config value);
  }

  /** The value, or null if it is of another kind or out of its bounds. */
  @Nullable T read(ConfigValue value) {
    try {
      return reading.of(value.atKey("v"));
    } catch (ConfigException e) {
      return null;
    }
  }

  static Quantity<Integer> integer(int min, int max) {
    return new Quantity<>(
        "an integer from " + min + " to " + max,
        value -> {
          double exact = value.getDouble("v");
          return exact == Math.rint(exact) && exact >= min && exact <= max ? (int) exact : null;
        });
  }

  static Quantity<Long> bytes(long min, long max) {
    return new Quantity<>(
        "a size from " + min + " to " + max + " bytes, such as 64 KiB",
        value -> {
          long size = value.getBytes("v");
          return size >= min && size <= max ? size : null;
        });
  }

  static Quantity<Duration> duration(Duration min, Duration max) {
    return new Quantity<>(
        "a duration from " + DurationText.of(min) + " to " + DurationText.of(max) + ", such as 10s",
        value -> {
          Duration time = value.getDuration("v");
          return time.compareTo(min) >= 0 && time.compareTo(max) <= 0 ? time : null;
        });
  }

  static Quantity<Boolean> flag() {
    return new Quantity<>("true or false", value -> value.getBoolean("v"));
  }
}
