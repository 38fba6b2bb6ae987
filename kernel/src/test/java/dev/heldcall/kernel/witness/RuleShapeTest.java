package dev.heldcall.kernel.witness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.witness.RuleShape.FallbackNode;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleShapeTest {

  private static final WitnessRule RULE =
      RuleParser.parse(
          "fallback(fallback(ci, 1m, peer), 2m, fallback(human, 3m, chief)) & quorum(2, human)"
              + " | fallback(dba, 4m, ops)");

  @Test
  void classesAreThoseTheRuleNamesInItsOrder() {
    assertThat(RuleShape.classes(RULE))
        .containsExactly("ci", "peer", "human", "chief", "dba", "ops");
  }

  @Test
  void fallbacksAreNumberedInPreorder() {
    assertThat(RuleShape.fallbacks(RULE))
        .containsExactly(
            new FallbackNode(0, Duration.ofMinutes(2)),
            new FallbackNode(1, Duration.ofMinutes(1)),
            new FallbackNode(2, Duration.ofMinutes(3)),
            new FallbackNode(3, Duration.ofMinutes(4)));
  }

  @Test
  void closedFallbacksAskNobody() {
    assertThat(RuleShape.activeClasses(RULE, Set.of())).containsExactly("ci", "human", "dba");
    assertThat(RuleShape.activeClasses(RULE, Set.of(2)))
        .as("the second opened inside of one that is closed")
        .containsExactly("ci", "human", "dba");
    assertThat(RuleShape.activeClasses(RULE, Set.of(0, 1, 2, 3)))
        .containsExactly("ci", "peer", "human", "chief", "dba", "ops");
  }
}
