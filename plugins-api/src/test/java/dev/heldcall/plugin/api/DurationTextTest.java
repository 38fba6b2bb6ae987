package dev.heldcall.plugin.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S,0s",
    "PT0.0009S,0s",
    "PT0.25S,250ms",
    "PT1.5S,1500ms",
    "PT1S,1s",
    "PT59S,59s",
    "PT90S,90s",
    "PT300S,5m",
    "PT1H,1h",
    "PT1H30M,90m",
    "PT36H,36h",
    "P7D,7d",
    "PT-2S,-2s"
  })
  void isInTheLargestUnitThatShowsItWhole(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
