package dev.heldcall.kernel.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every situation of every scenario is visited and judged. With {@code
 * -Dheldcall.explore.deep=true} each voice speaks once more and each generation has one more lease.
 */
class ExplorationTest {

  @Test
  void nothingThatMustNeverBeIsReachedAndEverythingDeclaredIs() throws IOException {
    Transitions transitions = Transitions.declared();
    List<Exploration> explored = Explorations.explored(transitions);
    ExplorationReport report = new ExplorationReport(explored, transitions);
    System.out.println(report.text());
    for (Exploration each : explored) {
      assertThat(each.fault()).as("%s: %s", each.scenario(), each.path()).isNull();
    }
    assertThat(transitions.unvisited()).as("declared transitions that nothing visits").isEmpty();
    if (!Explorations.deep()) {
      ExplorationPage.offer("numbers", report.text());
      assertThat(ExplorationPage.section("numbers"))
          .as("docs/exploration.md; -Dheldcall.explore.write=true writes it anew")
          .isEqualTo(report.text());
    }
  }
}
