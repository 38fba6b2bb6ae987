package dev.heldcall.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {

  @ParameterizedTest
  @CsvSource({
    "2030-01-31T12:00:00Z, 2030-01-31T12:00:00Z",
    "2030-01-31t12:00:00.123456789z, 2030-01-31T12:00:00.123456789Z",
    "2030-01-31T12:00:00-00:00, 2030-01-31T12:00:00Z",
    "2030-01-31T00:30:00+01:00, 2030-01-30T23:30:00Z"
  })
  void rfc_3339_is_read(String text, Instant instant) {
    assertThat(Timestamps.parse(text)).contains(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2030-01-31",
        "2030-01-31 12:00:00Z",
        "2030-01-31T12:00:00",
        "2030-01-31T12:00Z",
        "2030-02-30T12:00:00Z",
        "2030-01-31T24:00:01Z",
        "2030-01-31T12:00:60Z",
        "2030-01-31T12:00:00+1:00",
        "2030-01-31T12:00:00.Z",
        "+12030-01-31T12:00:00Z",
        "1234567890"
      })
  void nothing_else_is(String text) {
    assertThat(Timestamps.parse(text)).isEmpty();
  }

  @Test
  void utc_with_milliseconds_is_written() {
    assertThat(Timestamps.text(Instant.parse("2030-01-31T12:00:00Z")))
        .isEqualTo("2030-01-31T12:00:00.000Z");
  }
}
