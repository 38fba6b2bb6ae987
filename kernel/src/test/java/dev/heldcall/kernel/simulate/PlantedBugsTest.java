package dev.heldcall.kernel.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that finds nothing proves nothing: each planted bug is found, and found again. */
class PlantedBugsTest {

  private static final int SEEDS = 4_000;

  @ParameterizedTest
  @EnumSource(Plant.class)
  void isFound(Plant plant) {
    Set<Plant> planted = Set.of(plant);
    SeedResult broken = first(planted);
    assertThat(broken.violation()).as("%s, within %d seeds", plant.text, SEEDS).isNotNull();
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

  private static SeedResult first(Set<Plant> planted) {
    JournalCodec codec = new JournalCodec();
    SeedResult result = Simulation.run(1, codec, planted);
    for (long seed = 2; result.violation() == null && seed <= SEEDS; seed++) {
      result = Simulation.run(seed, codec, planted);
    }
    return result;
  }
}
