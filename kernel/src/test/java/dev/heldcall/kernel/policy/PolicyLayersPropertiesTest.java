package dev.heldcall.kernel.policy;

import static dev.heldcall.kernel.policy.PolicyTestData.call;
import static dev.heldcall.kernel.policy.PolicyTestData.layers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The fold over whole documents: rules of one layer commute, repeat idly, and only narrow. */
class PolicyLayersPropertiesTest {

  private static final List<String> RULES =
      List.of(
          "tools: ['pay'], verdict: 'ALLOW'",
          "tools: ['*'], verdict: 'ALLOW', when: 'args.n < 1000'",
          "tools: ['p*'], verdict: 'DEFER'",
          "tools: ['pay'], verdict: 'DENY', when: 'args.n > 900'",
          "tools: ['git.*'], verdict: 'DENY'",
          "tools: ['pay'], verdict: 'REQUIRE_WITNESS', contract: {rule: 'human'}",
          "tools: ['*'], when: 'args.n > 100', verdict: 'REQUIRE_WITNESS',"
              + " contract: {rule: 'ci | human', expires_s: 60, veto: ['compliance']}",
          "tools: ['pay'], when: 'args.nope', verdict: 'ALLOW'");

  private static String document(List<String> rules) {
    return IntStream.range(0, rules.size())
        .mapToObj(i -> "{id: 'r" + i + "', " + rules.get(i) + "}")
        .collect(Collectors.joining(",", "{rules: [", "]}"));
  }

  private static Adjudication judged(List<String> floor, List<String> organization, int n) {
    return layers(document(floor), document(organization))
        .adjudicate(call("pay", "{n: " + n + "}"));
  }

  @Property(tries = 50)
  void rulesOfALayerCommuteAndRepeatIdly(
      @ForAll("rules") List<String> floor,
      @ForAll("rules") List<String> organization,
      @ForAll("amount") int n,
      @ForAll long seed) {
    List<String> shuffled = new ArrayList<>(organization);
    shuffled.addAll(organization);
    Collections.shuffle(shuffled, new Random(seed));

    Adjudication one = judged(floor, organization, n);
    Adjudication other = judged(floor, shuffled, n);

    assertThat(other.verdict()).isEqualTo(one.verdict());
    assertThat(other.contract()).isEqualTo(one.contract());
  }

  @Property(tries = 50)
  void anotherRuleNeverWidensWhatALayerDecided(
      @ForAll("rules") List<String> floor,
      @ForAll("rule") String another,
      @ForAll("amount") int n) {
    Adjudication before = judged(floor, List.of(), n);
    if (before.verdict() == VerdictKind.INDETERMINATE) {
      return;
    }
    List<String> more = new ArrayList<>(floor);
    more.add(another);

    assertThat(judged(more, List.of(), n).verdict().severity())
        .isLessThanOrEqualTo(before.verdict().severity());
    assertThat(judged(floor, List.of(another), n).verdict().severity())
        .isLessThanOrEqualTo(before.verdict().severity());
  }

  @Provide
  Arbitrary<String> rule() {
    return Arbitraries.of(RULES);
  }

  @Provide
  Arbitrary<List<String>> rules() {
    return rule().list().ofMaxSize(4);
  }

  @Provide
  Arbitrary<Integer> amount() {
    return Arbitraries.of(1, 500, 950, 2_000);
  }
}
