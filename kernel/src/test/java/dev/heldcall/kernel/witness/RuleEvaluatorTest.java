package dev.heldcall.kernel.witness;

import static dev.heldcall.kernel.witness.Rules.approve;
import static dev.heldcall.kernel.witness.Rules.deny;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleEvaluatorTest {

  /**
   * Votes are spelt {@code identity+class} for an approve and {@code identity-class} for a deny.
   */
  @ParameterizedTest(name = "{0} with {1}, open {2}: {3}")
  @CsvSource(
      delimiter = ';',
      value = {
        // class c
        "h;;;UNKNOWN",
        "h;a+h;;TRUE",
        "h;a-h;;FALSE",
        "h;a+h b-h;;FALSE",
        "h;a+c;;UNKNOWN",
        "h;a-c;;UNKNOWN",
        "h;a+h a-c;;UNKNOWN",
        "h;a+h a-h;;FALSE",
        // quorum(n, c, deny m)
        "quorum(2, h);a+h;;UNKNOWN",
        "quorum(2, h);a+h a+h;;UNKNOWN",
        "quorum(2, h);a+h b+h;;TRUE",
        "quorum(2, h);a+h b+h c-h;;FALSE",
        "quorum(2, h, deny 2);a+h b+h c-h;;TRUE",
        "quorum(2, h, deny 2);a+h b+h c-h c-h;;TRUE",
        "quorum(2, h, deny 2);a+h b+h c-h d-h;;FALSE",
        "quorum(2, h, deny 2);a+h b+h b-h;;UNKNOWN",
        // a & b, a | b
        "h & c;a+h;;UNKNOWN",
        "h & c;a+h b+c;;TRUE",
        "h & c;a+h a+c;;TRUE",
        "h & c;a-h;;FALSE",
        "h | c;a+c;;TRUE",
        "h | c;a-h;;UNKNOWN",
        "h | c;a-h b+c;;TRUE",
        "h | c;a-h b-c;;FALSE",
        // fallback(a, d, b): closed, then open (rule 12)
        "fallback(c, 10m, h);a+c;;TRUE",
        "fallback(c, 10m, h);b+h;;UNKNOWN",
        "fallback(c, 10m, h);a-c b+h;;FALSE",
        "fallback(c, 10m, h);b-h;;UNKNOWN",
        "fallback(c, 10m, h);b+h;0;TRUE",
        "fallback(c, 10m, h);a-c b+h;0;FALSE",
        "fallback(c, 10m, h);b-h;0;FALSE",
        "fallback(c, 10m, h);a+c b-h;0;TRUE",
        "fallback(c, 10m, h);;0;UNKNOWN",
        // numbered in preorder
        "fallback(fallback(c, 1m, h), 2m, p);b+h;0;UNKNOWN",
        "fallback(fallback(c, 1m, h), 2m, p);b+h;1;TRUE",
        "fallback(c, 1m, fallback(h, 2m, p));b+p;1;UNKNOWN",
        "fallback(c, 1m, fallback(h, 2m, p));b+p;0 1;TRUE",
        "fallback(c, 1m, h) & fallback(p, 1m, h);b+h a+c;1;TRUE",
      })
  void followsTheTableOfTheDesign(String rule, String votes, String open, RuleValue expected) {
    Evaluation evaluation =
        RuleEvaluator.evaluate(
            RuleParser.parse(rule), Set.of(), false, votes(votes), indexes(open));
    assertThat(evaluation.value()).isEqualTo(expected);
    assertThat(evaluation.readiness())
        .isEqualTo(
            switch (expected) {
              case TRUE -> Readiness.SATISFIED;
              case FALSE -> Readiness.REFUTED;
              case UNKNOWN -> Readiness.UNSATISFIED;
            });
  }

  @ParameterizedTest(name = "{0} with {1}, open {2}: {3}")
  @CsvSource(
      delimiter = ';',
      value = {
        "h & c;a+h a+c;;UNKNOWN",
        "h & c;a+h a+c b+h;;TRUE",
        "h & h;a+h;;UNKNOWN",
        "h & h;a+h b+h;;TRUE",
        "h | c;a+h a+c;;TRUE",
        "quorum(2, h) & c;a+h b+h b+c;;UNKNOWN",
        "quorum(2, h) & c;a+h b+h b+c d+h;;TRUE",
        "(h | c) & (h | p);a+h a+c a+p;;UNKNOWN",
        "(h | c) & (h | p);a+h a+c b+p;;TRUE",
        // what would fit in numbers alone does not: b must serve both c and p
        "h & c & p;a+h b+h b+c b+p;;UNKNOWN",
        "h & c;a+h a-c;;FALSE",
        "fallback(h & h, 1m, c) & p;a+h b+c;0;UNKNOWN",
        "fallback(h & h, 1m, c) & p;a+h b+c a+p;0;TRUE",
        "fallback(h & h, 1m, c);a+h b-c;0;FALSE",
      })
  void underDistinctIdentitiesEachServesOneLeaf(
      String rule, String votes, String open, RuleValue expected) {
    assertThat(
            RuleEvaluator.evaluate(
                    RuleParser.parse(rule), Set.of(), true, votes(votes), indexes(open))
                .value())
        .isEqualTo(expected);
  }

  @Test
  void aDenyOfAVetoClassRefutesWhateverTheRuleSays() {
    List<Vote> votes = List.of(approve("a", "h"), deny("b", "v"));
    assertThat(RuleEvaluator.evaluate(RuleParser.parse("h"), List.of("v"), false, votes, Set.of()))
        .isEqualTo(new Evaluation(RuleValue.TRUE, Readiness.REFUTED));
    assertThat(RuleEvaluator.evaluate(RuleParser.parse("c"), List.of("v"), false, votes, Set.of()))
        .isEqualTo(new Evaluation(RuleValue.UNKNOWN, Readiness.REFUTED));
    assertThat(
            RuleEvaluator.evaluate(RuleParser.parse("h"), List.of("other"), false, votes, Set.of()))
        .isEqualTo(new Evaluation(RuleValue.TRUE, Readiness.SATISFIED));
  }

  @Test
  void anApproveOfAVetoClassIsNoVeto() {
    assertThat(
            RuleEvaluator.evaluate(
                RuleParser.parse("h"), List.of("v"), false, List.of(approve("b", "v")), Set.of()))
        .isEqualTo(new Evaluation(RuleValue.UNKNOWN, Readiness.UNSATISFIED));
  }

  @Test
  void identitiesAreDistinctByOrganizationAndProjectToo() {
    Vote here = approve("a", "h");
    Vote there =
        new Vote(
            "x",
            new dev.heldcall.plugin.api.PrincipalRef("acme", "other", "a"),
            "h",
            AttestationDecision.APPROVE);
    assertThat(
            RuleEvaluator.evaluate(
                    RuleParser.parse("quorum(2, h)"),
                    Set.of(),
                    true,
                    List.of(here, there),
                    Set.of())
                .value())
        .isEqualTo(RuleValue.TRUE);
  }

  @Test
  void theSearchForAnAssignmentIsBoundedAndThenNotTrue() {
    List<Vote> votes = new ArrayList<>();
    StringBuilder rule = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      votes.add(approve("i" + i, "a" + i));
      votes.add(approve("j" + i, "b" + i));
      rule.append(i == 0 ? "" : " & ").append("(a" + i + " | b" + i + ")");
    }
    WitnessRule parsed = RuleParser.parse(rule.toString());
    assertThat(RuleEvaluator.evaluate(parsed, Set.of(), false, votes, Set.of()).value())
        .isEqualTo(RuleValue.TRUE);
    assertThat(RuleEvaluator.evaluate(parsed, Set.of(), true, votes, Set.of()))
        .isEqualTo(new Evaluation(RuleValue.UNKNOWN, Readiness.UNSATISFIED));
  }

  @Property(tries = 2_000)
  void agreesWithTheTableReadWordByWord(
      @ForAll("rules") WitnessRule rule,
      @ForAll("evidence") List<Vote> votes,
      @ForAll boolean distinct,
      @ForAll("opened") Set<Integer> open) {
    RuleValue value = RuleEvaluator.evaluate(rule, Set.of(), distinct, votes, open).value();
    assertThat(value.name().charAt(0))
        .as("%s with %s, open %s, distinct %s", RuleText.of(rule), votes, open, distinct)
        .isEqualTo(ReferenceEvaluator.value(rule, distinct, votes, open));
  }

  @Property(tries = 300)
  void orderAndRepetitionOfVotesMeanNothing(
      @ForAll("rules") WitnessRule rule,
      @ForAll("evidence") List<Vote> votes,
      @ForAll boolean distinct,
      @ForAll("opened") Set<Integer> open,
      @ForAll Random random) {
    List<Vote> shuffled = new ArrayList<>(votes);
    shuffled.addAll(votes);
    Collections.shuffle(shuffled, random);
    assertThat(RuleEvaluator.evaluate(rule, Set.of("p"), distinct, shuffled, open))
        .isEqualTo(RuleEvaluator.evaluate(rule, Set.of("p"), distinct, votes, open));
  }

  @Property(tries = 300)
  void distinctIdentitiesOnlyNarrow(
      @ForAll("rules") WitnessRule rule,
      @ForAll("evidence") List<Vote> votes,
      @ForAll("opened") Set<Integer> open) {
    if (RuleEvaluator.evaluate(rule, Set.of(), true, votes, open).value() == RuleValue.TRUE) {
      assertThat(RuleEvaluator.evaluate(rule, Set.of(), false, votes, open).value())
          .isEqualTo(RuleValue.TRUE);
    }
  }

  @Provide
  Arbitrary<WitnessRule> rules() {
    return Rules.random(2, 2, "h", "c", "p").filter(rule -> leaves(rule) <= 5);
  }

  @Provide
  Arbitrary<List<Vote>> evidence() {
    return Combinators.combine(
            Arbitraries.of("a", "b", "d"),
            Arbitraries.of("h", "c", "p"),
            Arbitraries.frequency(
                net.jqwik.api.Tuple.of(5, AttestationDecision.APPROVE),
                net.jqwik.api.Tuple.of(1, AttestationDecision.DENY)))
        .as(
            (id, witnessClass, decision) ->
                decision == AttestationDecision.APPROVE
                    ? approve(id, witnessClass)
                    : deny(id, witnessClass))
        .list()
        .ofMaxSize(7);
  }

  @Provide
  Arbitrary<Set<Integer>> opened() {
    return Arbitraries.integers().between(0, 4).set().ofMaxSize(5);
  }

  private static int leaves(WitnessRule rule) {
    return switch (rule) {
      case WitnessRule.OfClass _, WitnessRule.Quorum _ -> 1;
      case WitnessRule.AllOf(var parts) -> parts.stream().mapToInt(RuleEvaluatorTest::leaves).sum();
      case WitnessRule.AnyOf(var parts) -> parts.stream().mapToInt(RuleEvaluatorTest::leaves).sum();
      case WitnessRule.Fallback(var first, _, var then) -> leaves(first) + leaves(then);
    };
  }

  private static List<Vote> votes(String text) {
    List<Vote> votes = new ArrayList<>();
    for (String vote : words(text)) {
      String id = vote.substring(0, 1);
      String witnessClass = vote.substring(2);
      votes.add(vote.charAt(1) == '+' ? approve(id, witnessClass) : deny(id, witnessClass));
    }
    return votes;
  }

  private static Set<Integer> indexes(String text) {
    Set<Integer> indexes = new java.util.HashSet<>();
    words(text).forEach(word -> indexes.add(Integer.parseInt(word)));
    return indexes;
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" "));
  }
}
