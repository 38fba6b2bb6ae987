package dev.heldcall.kernel.witness;

import static dev.heldcall.kernel.witness.Rules.approve;
import static dev.heldcall.kernel.witness.Rules.deny;
import static dev.heldcall.kernel.witness.Rules.who;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.AttestationDecision;
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
  private static final Instant DEADLINE = STARTED.plusSeconds(3_600);
  private static final String END = ", until 2026-05-04T11:00:00.250Z";
  private static final Map<String, List<PrincipalRef>> HOLDERS =
      Map.of(
          "human", List.of(who("alice"), who("bob")),
          "ci", List.of(who("ci-1")),
          "compliance", List.of(who("carol")));

  @Test
  void theOneMissingApproval() {
    assertThat(explain("human"))
        .containsExactly("waiting for: human (0 of 1)", "human could come from: alice, bob" + END);
  }

  @Test
  void aQuorumHalfThere() {
    assertThat(explain("quorum(2, human)", approve("alice", "human")))
        .containsExactly(
            "waiting for: human (1 of 2)",
            "human is there from: alice",
            "human could come from: bob" + END);
  }

  @Test
  void nobodyCould() {
    assertThat(explain("chief"))
        .containsExactly(
            "waiting for: chief (0 of 1)", "nobody who is independent holds class chief");
    assertThat(explain("quorum(2, ci)", approve("ci-1", "ci")))
        .containsExactly(
            "waiting for: ci (1 of 2)",
            "ci is there from: ci-1",
            "nobody else who is independent holds class ci");
  }

  @Test
  void whatIsThereAndWhatIsMissing() {
    assertThat(explain("human & ci", approve("bob", "human")))
        .containsExactly(
            "have: human (1 of 1) from bob",
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1" + END);
  }

  @Test
  void alternatives() {
    assertThat(explain("human | ci"))
        .containsExactly(
            "one is enough of: human | ci",
            "waiting for: human (0 of 1)",
            "human could come from: alice, bob" + END,
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1" + END);
  }

  @Test
  void refusalsAndVetoes() {
    assertThat(explain("human", deny("alice", "human")))
        .containsExactly("refuted: denied as human by alice");
    assertThat(explain("quorum(1, human, deny 2)", deny("alice", "human"), approve("bob", "human")))
        .containsExactly(
            "have: human (1 of 1) from bob", "denied as human by alice: 1 of 2 to refute");
    assertThat(explain("human", approve("bob", "human"), deny("carol", "compliance")))
        .containsExactly("refuted: veto of compliance by carol", "have: human (1 of 1) from bob");
  }

  @Test
  void anApproveOutweighedByTheSameIdentitysDeny() {
    assertThat(explain("human", approve("alice", "human"), deny("alice", "ci")))
        .containsExactly(
            "waiting for: human (0 of 1)",
            "human could come from: bob" + END,
            "not counted: approve as human of alice, outweighed by the same identity's deny");
  }

  @Test
  void aFallbackSaysWhenItOpens() {
    assertThat(explain("fallback(ci, 10m, human)"))
        .containsExactly(
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1" + END,
            "fallback opens at 2026-05-04T10:10:00.250Z: human");
    assertThat(explain("fallback(ci, 10m, human)", Set.of(0), false))
        .containsExactly(
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1" + END,
            "fallback open since 2026-05-04T10:10:00.250Z: human",
            "waiting for: human (0 of 1)",
            "human could come from: alice, bob" + END);
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
            "have: ci (1 of 1) from alice",
            "human could come from: bob" + END,
            "ci could come from: ci-1" + END);
  }

  @Test
  void whatIsThereSaysUntilWhen() {
    assertThat(explain("human", until("alice", 60), until("alice", 90), until("bob", 30)))
        .containsExactly(
            "have: human (2 of 1) from alice (until 2026-05-04T10:01:30.250Z),"
                + " bob (until 2026-05-04T10:00:30.250Z)");
    assertThat(explain("quorum(2, human)", until("alice", 60)))
        .contains("human is there from: alice (until 2026-05-04T10:01:00.250Z)");
  }

  @Test
  void ofAlternativesOfWhichOneHoldsTheOthersAreLeftOut() {
    assertThat(explain("human | ci", approve("ci-1", "ci")))
        .containsExactly("have: ci (1 of 1) from ci-1");
    assertThat(explain("fallback(ci, 10m, human)", Set.of(0), false, approve("ci-1", "ci")))
        .containsExactly("have: ci (1 of 1) from ci-1");
  }

  @Test
  void whatWasGivenForAFallbackThatIsNotOpenYet() {
    assertThat(
            explain(
                "fallback(ci, 10m, quorum(2, human))", until("alice", 60), deny("bob", "human")))
        .containsExactly(
            "waiting for: ci (0 of 1)",
            "ci could come from: ci-1" + END,
            "fallback opens at 2026-05-04T10:10:00.250Z: quorum(2, human)",
            "given for the fallback: human from alice (until 2026-05-04T10:01:00.250Z)",
            "given for the fallback: denied as human by bob");
  }

  @Test
  void aFallbackThatOpensWhenTheCallHasExpired() {
    assertThat(explain("fallback(ci, 1h, human)"))
        .last()
        .isEqualTo(
            "fallback would open at 2026-05-04T11:00:00.250Z, and the call expires at"
                + " 2026-05-04T11:00:00.250Z: human");
  }

  @Test
  void aRefutedRuleOfACallThatIsHeldSaysWhatMakesItWaitAgain() {
    String line =
        "held although refuted: it waits on, and a deny counts until it expires or until its"
            + " witness or an operator revokes it";
    assertThat(explain("human", Set.of(), false, true, deny("alice", "human")))
        .containsExactly("refuted: denied as human by alice", line);
    assertThat(explain("human", Set.of(), false, true, deny("carol", "compliance"))).contains(line);
    assertThat(explain("human", Set.of(), false, true)).doesNotContain(line);
  }

  @Test
  void delegatesThatCountAsOneAreNamed() {
    Vote bot =
        new Vote("b", who("bot"), "human", AttestationDecision.APPROVE, who("alice"), Instant.MAX);
    assertThat(explain("quorum(2, human)", Set.of(), true, approve("alice", "human"), bot))
        .containsExactly(
            "waiting for: human (1 of 2)",
            "human is there from: alice, bot",
            "human could come from: bob" + END,
            "counted as one: alice, bot (distinct-identities: they act on one principal's behalf)");
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
                new ExplainContext(STARTED, null, false, c -> many)))
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

  private static Vote until(String id, int seconds) {
    return new Vote(
        id + seconds,
        who(id),
        "human",
        AttestationDecision.APPROVE,
        who(id),
        STARTED.plusSeconds(seconds));
  }

  private static List<String> explain(
      String rule, Set<Integer> open, boolean distinct, Vote... votes) {
    return explain(rule, open, distinct, false, votes);
  }

  private static List<String> explain(
      String rule, Set<Integer> open, boolean distinct, boolean held, Vote... votes) {
    return RuleExplainer.explain(
        RuleParser.parse(rule),
        List.of("compliance"),
        distinct,
        List.of(votes),
        open,
        new ExplainContext(STARTED, DEADLINE, held, c -> HOLDERS.getOrDefault(c, List.of())));
  }
}
