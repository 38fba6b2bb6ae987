package dev.heldcall.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The short trial of three nodes: the first is killed and started again, the second is told to end,
 * the third stands still past its leases and goes on. The long one is {@link ClusterBench}.
 */
@Timeout(300)
class ClusterTest {

  private static final int CLIENTS = 6;

  @Test
  void threeNodesKeepWhatTheyHaveAnswered(@TempDir Path folder) throws Exception {
    try (Trial trial = new Trial(folder, List.of("-Xmx400m", "-XX:TieredStopAtLevel=1"))) {
      trial.form();
      trial.load(CLIENTS, 1);

      assertThat(Duration.ofMillis(trial.kill(0))).isLessThan(Trial.BOUND);
      trial.restart(0);
      trial.terminate(1);
      trial.pause(2, Duration.ofSeconds(8));
      trial.awaitPutOut(2);
      trial.awaitStories(CLIENTS);

      assertThat(trial.problems()).isEmpty();
    }
  }
}
