package dev.heldcall.kernel.witness;

import static dev.heldcall.kernel.witness.Rules.who;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleSatisfiabilityTest {

  private static final Map<String, List<PrincipalRef>> ROSTER =
      Map.of(
          "human", List.of(who("alice"), who("bob"), who("bob")),
          "ci", List.of(who("alice")),
          "chief", List.of(who("alice")));

  @ParameterizedTest
  @CsvSource(
      delimiter = '/',
      value = {
        "human//",
        "quorum(2, human)//",
        "quorum(3, human)//too few hold class human (needed: 3, there: 2)",
        "peer//nobody holds class peer (needed: 1, there: 0)",
        "human & peer//nobody holds class peer (needed: 1, there: 0)",
        "human | peer//",
        "peer | dba//nobody holds class peer (needed: 1, there: 0); and nobody holds class dba (needed: 1, there: 0)",
        "fallback(peer, 1m, human)//",
        "fallback(human, 1m, peer)//",
        "fallback(peer, 1m, dba)//nobody holds class peer (needed: 1, there: 0); and nobody holds class dba (needed: 1, there: 0)",
        "human & ci//",
        "human & ci/distinct/",
        "ci & chief//",
        "ci & chief/distinct/with distinct-identities nobody can satisfy the rule: the classes chief, ci need 2 distinct identities together, and 1 hold them",
        "quorum(2, human) & ci/distinct/with distinct-identities nobody can satisfy the rule: the classes ci, human need 3 distinct identities together, and 2 hold them",
        "peer | ci & chief/distinct/with distinct-identities nobody can satisfy the rule: the classes chief, ci need 2 distinct identities together, and 1 hold them",
        "ci & chief | human/distinct/",
      })
  void namesTheClassAndTheNumbers(String rule, String distinct, String problem) {
    assertThat(problem(RuleParser.parse(rule), distinct != null))
        .isEqualTo(Optional.ofNullable(problem));
  }

  @Test
  void aVetoMayBeHeldByNobodyButMustBeAClass() {
    assertThat(problemWithVeto("nobody")).isEmpty();
    assertThat(problemWithVeto("No Class")).hasValue("veto names no witness class: 'No Class'");
  }

  @Property(tries = 500)
  void aRuleHasAProblemExactlyIfEverybodysApprovesDoNotMakeItTrue(
      @ForAll("rules") WitnessRule rule,
      @ForAll("subsets") Set<String> humans,
      @ForAll("subsets") Set<String> machines,
      @ForAll boolean distinct) {
    Map<String, List<PrincipalRef>> roster = Map.of("human", refs(humans), "ci", refs(machines));
    List<Vote> everybody = new ArrayList<>();
    roster.forEach(
        (witnessClass, holders) ->
            holders.forEach(
                who ->
                    everybody.add(new Vote("x", who, witnessClass, AttestationDecision.APPROVE))));
    char value =
        ReferenceEvaluator.value(rule, distinct, everybody, Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
    assertThat(
            RuleSatisfiability.problem(
                    rule, Set.of(), distinct, c -> roster.getOrDefault(c, List.of()))
                .isEmpty())
        .as(RuleText.of(rule))
        .isEqualTo(value == 'T');
  }

  @Provide
  Arbitrary<WitnessRule> rules() {
    return Rules.random(2, 2, "human", "ci");
  }

  @Provide
  Arbitrary<Set<String>> subsets() {
    return Arbitraries.of("a", "b", "c").set().ofMaxSize(3);
  }

  private static List<PrincipalRef> refs(Set<String> ids) {
    return ids.stream().map(Rules::who).collect(Collectors.toList());
  }

  private static Optional<String> problem(WitnessRule rule, boolean distinct) {
    return RuleSatisfiability.problem(
        rule, Set.of(), distinct, c -> ROSTER.getOrDefault(c, List.of()));
  }

  private static Optional<String> problemWithVeto(String veto) {
    return RuleSatisfiability.problem(
        RuleParser.parse("human"), Set.of(veto), false, c -> ROSTER.getOrDefault(c, List.of()));
  }
}
