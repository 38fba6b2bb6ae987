package dev.heldcall.kernel.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may decide, and that a pause is noticed. */
class ClusterContactTest {

  @ParameterizedTest
  @CsvSource({
    "3, 3, true, true", "3, 2, false, true", "3, 1, true, false", "2, 2, false, true",
    "2, 1, true, true", "2, 1, false, false", "4, 2, true, true", "4, 2, false, false",
    "5, 2, true, false", "5, 3, false, true"
  })
  void theGreaterPartDecidesAndOfTwoHalvesTheOneWithTheLowestAddress(
      int all, int heard, boolean lowestHeard, boolean decides) {
    assertThat(ClusterContact.isMost(all, heard, lowestHeard)).isEqualTo(decides);
  }

  @Test
  void aPauseIsNoticedByWhoeverAsksFirstAndDoubtedForAWhile() {
    PauseWatch watch = new PauseWatch(50, 60, 1_000);

    assertThat(watch.beat(1_000)).isFalse();
    assertThat(watch.beat(1_050)).isFalse();
    assertThat(watch.beat(1_101)).isTrue();
    assertThat(watch.beat(1_140)).isTrue();
    assertThat(watch.beat(1_160)).isTrue();
    assertThat(watch.beat(1_161)).isFalse();
  }

  @Test
  void aBeatThatComesLateBehindAnotherIsNoPause() {
    PauseWatch watch = new PauseWatch(50, 60, 1_000);

    assertThat(watch.beat(1_040)).isFalse();
    assertThat(watch.beat(1_010)).isFalse();
    assertThat(watch.beat(1_080)).isFalse();
  }
}
