package dev.heldcall.kernel.witness;

import static dev.heldcall.kernel.witness.Rules.approve;
import static dev.heldcall.kernel.witness.Rules.deny;
import static dev.heldcall.kernel.witness.Rules.who;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RuleExplainerTest {

  private static final Instant STARTED = Instant.parse("2026-05-04T10:00:00.250Z");
  private static final Map<String, List<PrincipalRef>> HOLDERS =
      Map.of(
          "human", List.of(who("alice"), who("bob")),
          "ci", List.of(who("ci-1")),
          "compliance", List.of(who("carol")));

  @Test
  void theOneMissingApproval() {
    assertThat(explain("human"))
        .containsExactly("waiting for: human (0 of 1)", "human could come from: alice, bob");
  }

  @Test
  void aQuorumHalfThere() {
    assertThat(explain("quorum(2, human)", approve("alice", "human")))
        .containsExactly("waiting for: human (1 of 2)", "human could come from: bob");
  }

  @Test
  void nobodyCould() {
    assertThat(explain("chief"))
        .containsExactly("waiting for: chief (0 of 1)", "nobody holds class chief");
    assertThat(explain("quorum(2, ci)", approve("ci-1", "ci")))
        .containsExactly("waiting for: ci (1 of 2)", "nobody else holds class ci");
  }

  @Test
  void whatIsThereAndWhatIsMissing() {
    assertThat(explain("human & ci", approve("bob", "human")))
        .containsExactly(
            "have: human (1 of 1) from bob",
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1");
  }

  @Test
  void alternatives() {
    assertThat(explain("human | ci"))
        .containsExactly(
            "one is enough of: human | ci",
            "waiting for: human (0 of 1)",
            "human could come from: alice, bob",
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1");
  }

  @Test
  void refusalsAndVetoes() {
    assertThat(explain("human", deny("alice", "human")))
        .containsExactly("refuted: denied as human by alice");
    assertThat(explain("quorum(1, human, deny 2)", deny("alice", "human"), approve("bob", "human")))
        .containsExactly(
            "have: human (1 of 1) from bob", "denied as human by alice (1 of 2 to refute)");
    assertThat(explain("human", approve("bob", "human"), deny("carol", "compliance")))
        .containsExactly("refuted: veto of compliance by carol", "have: human (1 of 1) from bob");
  }

  @Test
  void anApproveOutweighedByTheSameIdentitysDeny() {
    assertThat(explain("human", approve("alice", "human"), deny("alice", "ci")))
        .containsExactly(
            "waiting for: human (0 of 1)",
            "human could come from: bob",
            "not counted: approve as human of alice (outweighed by the same identity's deny)");
  }

  @Test
  void aFallbackSaysWhenItOpens() {
    assertThat(explain("fallback(ci, 10m, human)"))
        .containsExactly(
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1",
            "fallback opens at 2026-05-04T10:10:00.250Z: human");
    assertThat(explain("fallback(ci, 10m, human)", Set.of(0), false))
        .containsExactly(
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1",
            "fallback open since 2026-05-04T10:10:00.250Z: human",
            "waiting for: human (0 of 1)",
            "human could come from: alice, bob");
  }

  @Test
  void fallbacksInsideOfAClosedOneKeepTheNumbersOfTheRest() {
    assertThat(
            explain(
                "fallback(ci, 1s, fallback(ci, 2s, ci)) & fallback(ci, 3s, human)",
                Set.of(2),
                false))
        .contains("fallback open since 2026-05-04T10:00:03.250Z: human");
  }

  @Test
  void oneIdentityCannotServeTwice() {
    assertThat(
            explain(
                "human & ci", Set.of(), true, approve("alice", "human"), approve("alice", "ci")))
        .containsExactly(
            "waiting for: another identity (distinct-identities: none serves two parts)",
            "have: human (1 of 1) from alice",
            "have: ci (1 of 1) from alice");
  }

  @Test
  void linesAndNamesAreBoundedAndSayWhatIsLeftOut() {
    StringBuilder rule = new StringBuilder("c0");
    for (int i = 1; i < 40; i++) {
      rule.append(" & c").append(i);
    }
    assertThat(explain(rule.toString()))
        .hasSize(RuleExplainer.MAX_LINES)
        .last()
        .isEqualTo("49 more lines left out");

    List<PrincipalRef> many = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      many.add(who("w" + i));
    }
    assertThat(
            RuleExplainer.explain(
                RuleParser.parse("human"),
                Set.of(),
                false,
                List.of(),
                Set.of(),
                new ExplainContext(STARTED, c -> many)))
        .last()
        .isEqualTo("human could come from: w0, w1, w2, w3, w4, w5, w6, w7 and 3 more");
  }

  @Property(tries = 300)
  void everyRuleHasAnExplanationWithinItsBounds(
      @ForAll("rules") WitnessRule rule, @ForAll boolean distinct) {
    assertThat(explain(RuleText.of(rule), Set.of(0), distinct))
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(RuleExplainer.MAX_LINES);
  }

  @Provide
  Arbitrary<WitnessRule> rules() {
    return Rules.random(4, 3, "human", "ci", "chief");
  }

  private static List<String> explain(String rule, Vote... votes) {
    return explain(rule, Set.of(), false, votes);
  }

  private static List<String> explain(
      String rule, Set<Integer> open, boolean distinct, Vote... votes) {
    return RuleExplainer.explain(
        RuleParser.parse(rule),
        List.of("compliance"),
        distinct,
        List.of(votes),
        open,
        new ExplainContext(STARTED, c -> HOLDERS.getOrDefault(c, List.of())));
  }
}
