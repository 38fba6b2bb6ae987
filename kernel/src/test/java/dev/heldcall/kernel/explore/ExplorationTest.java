package dev.heldcall.kernel.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every situation of every scenario is visited and judged. With {@code -Dheldcall.explore.deep=true}
 * each voice speaks once more and each generation has one more lease: hours instead of seconds.
 */
class ExplorationTest {

  @Test
  void nothingThatMustNeverBeIsReachedAndEverythingDeclaredIs() {
    Transitions transitions = Transitions.declared();
    List<Exploration> explored = Scenarios.explored(transitions);
    ExplorationReport report = new ExplorationReport(explored, transitions);
    System.out.println(report.text());
    for (Exploration each : explored) {
      assertThat(each.fault()).as("%s: %s", each.scenario(), each.path()).isNull();
    }
    assertThat(transitions.unvisited()).as("declared transitions that nothing visits").isEmpty();
  }
}
