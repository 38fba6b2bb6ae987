package dev.heldcall.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleShape;
import dev.heldcall.kernel.witness.Vote;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteStagingTest {

  /** Named by class, cost and, if there are several, a letter. */
  private static final List<ProviderContract> ALL =
      List.of(
          Providers.contract("ci-0", "ci", 0),
          Providers.contract("ci-5a", "ci", 5),
          Providers.contract("ci-5b", "ci", 5),
          Providers.contract("ci-9", "ci", 9),
          Providers.contract("opa-1", "opa", 1),
          Providers.contract("peer-7", "peer", 7),
          Providers.contract("peer-8", "peer", 8));

  private static List<ProviderContract> of(String witnessClass) {
    return ALL.stream().filter(each -> each.witnessClass().equals(witnessClass)).toList();
  }

  private static SortedSet<String> asked(
      WitnessRule rule, Set<Integer> open, Set<String> exhausted, Collection<Vote> votes) {
    return RouteStaging.asked(rule, open, RouteStagingTest::of, exhausted::contains, votes);
  }

  private static Set<String> words(String text) {
    return "-".equals(text) ? Set.of() : Set.of(text.split(" ", -1));
  }

  private static Vote vote(String text) {
    boolean denies = text.startsWith("!");
    String[] parts = text.substring(denies ? 1 : 0).split(":", -1);
    return new Vote(
        text,
        new PrincipalRef("acme", "default", parts[1]),
        parts[0],
        denies ? AttestationDecision.DENY : AttestationDecision.APPROVE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        // a class: by cost, the next when nothing more comes of all that cost less
        "ci; -; -; ci-0",
        "ci; ci-0; -; ci-0 ci-5a ci-5b",
        "ci; ci-0 ci-5a; -; ci-0 ci-5a ci-5b",
        "ci; ci-0 ci-5a ci-5b; -; ci-0 ci-5a ci-5b ci-9",
        // of what is decided nobody dearer is asked
        "ci; ci-0; ci:ci-0; ci-0",
        "ci; ci-0; !ci:x; ci-0",
        "ci & human; ci-0; ci:ci-0; ci-0",
        "(ci | peer) & human; ci-0; ci:ci-0; ci-0",
        // a quorum: all at once; of one: as the class
        "quorum(2, ci); -; -; ci-0 ci-5a ci-5b ci-9",
        "quorum(1, ci); -; -; ci-0",
        "quorum(1, ci, deny 2); ci-0; !ci:x; ci-0 ci-5a ci-5b",
        // both of and, the cheapest of or
        "ci & peer; -; -; ci-0 peer-7",
        "peer | ci; -; -; ci-0",
        "peer | ci; ci-0; -; ci-0 ci-5a ci-5b",
        "peer | opa; -; -; opa-1",
        "peer | opa; opa-1; -; opa-1 peer-7",
        "peer | opa; opa-1; !opa:opa-1; opa-1 peer-7",
        "peer | opa; opa-1 peer-7; -; opa-1 peer-7 peer-8",
        "peer | opa; peer-7; peer:peer-7; opa-1 peer-7",
        "(peer & ci) | opa; -; -; opa-1",
        "(peer & ci) | opa; opa-1; -; ci-0 opa-1 peer-7",
        // nobody waits for people
        "human | peer; -; -; peer-7",
        "human | peer | opa; -; -; opa-1",
        "human & ci; -; -; ci-0",
        "human; -; -; -",
        "(opa | human) | peer; opa-1; -; opa-1 peer-7",
        "(opa & human) | peer; -; -; opa-1",
        "(opa & human) | peer; opa-1; opa:opa-1; opa-1 peer-7",
      })
  void asks(String rule, String exhausted, String votes, String expected) {
    List<Vote> given =
        words(votes.strip()).stream().map(RouteStagingTest::vote).collect(Collectors.toList());
    assertThat(asked(RuleParser.parse(rule), Set.of(), words(exhausted.strip()), given))
        .isEqualTo(new TreeSet<>(words(expected.strip())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "fallback(ci, 10m, peer); -; -; ci-0",
        "fallback(ci, 10m, peer); -; ci-0; ci-0 ci-5a ci-5b",
        "fallback(ci, 10m, peer); 0; -; ci-0 peer-7",
        "fallback(fallback(ci, 1m, opa), 10m, peer); 0; -; ci-0 peer-7",
        "fallback(fallback(ci, 1m, opa), 10m, peer); 1; -; ci-0 opa-1",
        "fallback(ci, 1m, fallback(opa, 1m, peer)); 0; -; ci-0 opa-1",
        "fallback(ci, 1m, fallback(opa, 1m, peer)); 1; -; ci-0",
        "fallback(ci, 1m, opa) & fallback(human, 1m, peer); 1; -; ci-0 peer-7",
      })
  void asksOfAFallbackWhenItIsOpen(String rule, String open, String exhausted, String expected) {
    Set<Integer> opened = words(open).stream().map(Integer::valueOf).collect(Collectors.toSet());
    assertThat(asked(RuleParser.parse(rule), opened, words(exhausted), List.of()))
        .isEqualTo(new TreeSet<>(words(expected)));
  }

  @ParameterizedTest
  @CsvSource({"ci:ci-0, ci-0", "!ci:ci-0, ci-0"})
  void asksNobodyOfAFallbackWhoseFirstPartIsDecided(String vote, String expected) {
    assertThat(
            asked(
                RuleParser.parse("fallback(ci, 1m, peer)"),
                Set.of(0),
                Set.of("ci-0"),
                List.of(vote(vote))))
        .containsExactly(expected);
  }

  /** A rule, which of its fallbacks are open, of whom nothing more comes, and what was said. */
  record Case(WitnessRule rule, Set<Integer> open, Set<String> exhausted, List<Vote> votes) {
    SortedSet<String> asked() {
      return RouteStagingTest.asked(rule, open, exhausted, votes);
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Combinators.combine(
            rules(4),
            Arbitraries.integers().between(0, 7).set(),
            Arbitraries.of(ALL.stream().map(ProviderContract::id).toList()).set(),
            Arbitraries.of("ci:ci-0", "!ci:x", "peer:y", "!opa:z", "human:alice")
                .set()
                .map(all -> all.stream().map(RouteStagingTest::vote).toList()))
        .as(Case::new);
  }

  private static Arbitrary<WitnessRule> rules(int depth) {
    Arbitrary<WitnessRule> leaf =
        Arbitraries.of("ci", "opa", "peer", "human", "quorum(2, ci)", "quorum(1, peer, deny 2)")
            .map(RuleParser::parse);
    if (depth == 0) {
      return leaf;
    }
    Arbitrary<WitnessRule> part = rules(depth - 1);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(3, leaf),
        net.jqwik.api.Tuple.of(
            2, part.list().ofMinSize(2).ofMaxSize(3).map(WitnessRule.AllOf::new)),
        net.jqwik.api.Tuple.of(
            2, part.list().ofMinSize(2).ofMaxSize(3).map(WitnessRule.AnyOf::new)),
        net.jqwik.api.Tuple.of(
            1,
            Combinators.combine(part, part)
                .as(
                    (first, then) ->
                        new WitnessRule.Fallback(first, java.time.Duration.ofMinutes(1), then))));
  }

  private static Set<String> active(Case one) {
    Set<String> all = new HashSet<>();
    for (String each : RuleShape.activeClasses(one.rule(), one.open())) {
      of(each).forEach(provider -> all.add(provider.id()));
    }
    return all;
  }

  @Property(tries = 2_000)
  void whoIsAskedBelongsToAClassThatIsAskedNow(@ForAll("cases") Case one) {
    assertThat(active(one)).containsAll(one.asked());
  }

  @Property(tries = 1_000)
  void ifNothingComesOfAnybodyEverybodyIsAsked(@ForAll("cases") Case one) {
    Set<String> all = ALL.stream().map(ProviderContract::id).collect(Collectors.toSet());
    assertThat(new Case(one.rule(), one.open(), all, List.of()).asked())
        .containsExactlyInAnyOrderElementsOf(active(one));
  }

  @Property(tries = 1_000)
  void whoComesToNothingMakesNobodyUnasked(@ForAll("cases") Case one) {
    Set<String> more = new HashSet<>(one.exhausted());
    more.addAll(one.asked());
    assertThat(new Case(one.rule(), one.open(), more, one.votes()).asked())
        .containsAll(one.asked());
  }

  /** Of one class alone: a dearer one is not asked while a cheaper one may still help. */
  @Property(tries = 500)
  void nobodyDearerIsAskedWhileACheaperMayHelp(@ForAll("subsets") Set<String> exhausted) {
    List<ProviderContract> byCost = new ArrayList<>(of("ci"));
    SortedSet<String> asked = asked(RuleParser.parse("ci"), Set.of(), exhausted, List.of());
    int open =
        IntStream.range(0, byCost.size())
            .filter(i -> !exhausted.contains(byCost.get(i).id()))
            .map(i -> byCost.get(i).cost())
            .min()
            .orElse(Integer.MAX_VALUE);
    assertThat(byCost.stream().filter(each -> each.cost() <= open).map(ProviderContract::id))
        .containsExactlyInAnyOrderElementsOf(asked);
  }

  @Provide
  Arbitrary<Set<String>> subsets() {
    return Arbitraries.of(of("ci").stream().map(ProviderContract::id).toList()).set();
  }
}
