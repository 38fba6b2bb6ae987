package dev.heldcall.kernel.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ten thousand worlds in which everything goes wrong, and nothing does. */
class SimulationTest {

  private static final int SEEDS = Integer.getInteger("heldcall.simulate.seeds", 10_000);
  private static final int LEAST_STRIKES = 1_000;
  private static final Set<Plant> NOTHING = Set.of();

  @Test
  void nothingIsBrokenAndEveryFaultStruckOften() {
    CampaignResult result = Campaign.run(1, SEEDS, 2, NOTHING);
    System.out.println(result.table());
    assertThat(result.broken()).as(() -> Replay.of(result.broken().getFirst(), NOTHING)).isEmpty();
    assertThat(Arrays.stream(Fault.values()).filter(each -> result.struck(each) < LEAST_STRIKES))
        .as("faults that struck fewer than %d times", LEAST_STRIKES)
        .isEmpty();
  }

  @Test
  void aSeedGoesTheSameWayEveryTime() {
    Set<Long> digests = new HashSet<>();
    for (long seed = 1; seed <= 60; seed++) {
      SeedResult once = Simulation.run(seed, new JournalCodec(), NOTHING);
      SeedResult again = Simulation.replay(seed, new JournalCodec(), NOTHING);
      assertThat(again.digest()).as("seed %d", seed).isEqualTo(once.digest());
      assertThat(again.struck()).isEqualTo(once.struck());
      assertThat(again.lines())
          .isEqualTo(Simulation.replay(seed, new JournalCodec(), NOTHING).lines());
      digests.add(once.digest());
    }
    assertThat(digests).as("seeds that went different ways").hasSize(60);
  }
}
