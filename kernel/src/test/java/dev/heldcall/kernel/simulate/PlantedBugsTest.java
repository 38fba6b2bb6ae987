package dev.heldcall.kernel.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that finds nothing proves nothing: each planted bug is found, and found again. */
class PlantedBugsTest {

  private static final int SEEDS = 4_000;
  private static final int FIRST_BATCH = 20;
  private static final int BATCH = 200;

  @ParameterizedTest
  @EnumSource(Plant.class)
  void isFound(Plant plant) {
    Set<Plant> planted = Set.of(plant);
    SeedResult found = first(planted);
    assertThat(found).as("%s, within %d seeds", plant.text, SEEDS).isNotNull();
    SeedResult broken = Objects.requireNonNull(found);
    System.out.printf("%-30s seed %5d: %s%n", plant, broken.seed(), broken.violation());
    assertThat(Simulation.run(broken.seed(), new JournalCodec(), planted).violation())
        .isEqualTo(broken.violation());
    assertThat(Simulation.run(broken.seed(), new JournalCodec(), Set.of()).violation())
        .as("without the bug")
        .isNull();
    assertThat(Replay.of(broken, planted))
        .contains("--seed " + broken.seed())
        .contains(Objects.requireNonNull(broken.violation()));
  }

  /** The lowest seed that finds it, whichever thread is faster. */
  private static @Nullable SeedResult first(Set<Plant> planted) {
    long seeds = FIRST_BATCH;
    for (long from = 1; from <= SEEDS; from += seeds) {
      seeds = from == 1 ? FIRST_BATCH : BATCH;
      CampaignResult result = Campaign.run(from, seeds, 2, planted);
      if (!result.broken().isEmpty()) {
        return result.broken().getFirst();
      }
    }
    return null;
  }
}
