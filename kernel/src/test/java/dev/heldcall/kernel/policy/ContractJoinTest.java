package dev.heldcall.kernel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContractJoinTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "human; human",
        "human, human; human",
        "human, ci; ci & human",
        "ci, human; ci & human",
        "human & ci; human & ci",
        "human & ci, human; ci & human",
        "human & human, human; human & human",
        "human & human, human & ci; ci & human & human",
        "human | ci, compliance; (ci | human) & compliance",
        "'quorum(2 human)', human; human & quorum(2, human)"
      })
  void joinsRules(String rules, String joined) {
    List<Contract> contracts =
        Arrays.stream(rules.replace("'", "").split(", "))
            .map(text -> text.replace("(2 ", "(2, "))
            .map(text -> text.equals("human | ci") ? "ci | human" : text)
            .map(Contract::of)
            .toList();

    assertThat(ContractJoin.of(contracts, null).rule()).isEqualTo(joined);
  }

  @Test
  void unitesAndTakesTheStricter() {
    Contract first =
        new Contract(
            "human",
            new TreeSet<>(Set.of("compliance")),
            new TreeSet<>(Set.of(Independence.DISTINCT_IDENTITIES)),
            OnRefuted.HOLD,
            600,
            false);
    Contract second =
        new Contract(
            "human",
            new TreeSet<>(Set.of("fraud-check")),
            new TreeSet<>(Set.of(Independence.NOT_SAME_MODEL_FAMILY)),
            OnRefuted.DENY,
            300,
            true);

    assertThat(ContractJoin.of(List.of(first, second), null))
        .isEqualTo(
            new Contract(
                "human",
                new TreeSet<>(Set.of("compliance", "fraud-check")),
                new TreeSet<>(Set.of(Independence.values())),
                OnRefuted.DENY,
                300,
                true));
  }

  @Test
  void holdsOnlyIfAllHold() {
    Contract hold =
        new Contract("human", new TreeSet<>(), new TreeSet<>(), OnRefuted.HOLD, 600, false);

    assertThat(ContractJoin.of(List.of(hold, hold), null).onRefuted()).isEqualTo(OnRefuted.HOLD);
  }

  @ParameterizedTest
  @CsvSource({"600, 600", "86400, 86400", "100000, 86400", "1, 1", "0, 1"})
  void capsTheExpiryByTheProposersTimeout(long timeout, long expires) {
    assertThat(ContractJoin.of(List.of(Contract.of("human")), timeout).expiresSeconds())
        .isEqualTo(expires);
  }

  @Test
  void refusesARuleBeyondTheBounds() {
    List<Contract> many =
        IntStream.range(0, 60).mapToObj(i -> Contract.of("c" + i + "x".repeat(100))).toList();

    assertThatThrownBy(() -> ContractJoin.of(many, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void isFreeOfOrderAndIdempotent(
      @ForAll("contracts") List<Contract> contracts, @ForAll long seed) {
    Contract joined = ContractJoin.of(contracts, null);
    List<Contract> shuffled = new ArrayList<>(contracts);
    Collections.shuffle(shuffled, new Random(seed));
    shuffled.addAll(contracts);

    assertThat(ContractJoin.of(shuffled, null)).isEqualTo(joined);
    assertThat(ContractJoin.of(List.of(joined), null)).isEqualTo(joined);
  }

  @Property
  void anotherContractOnlyAdds(
      @ForAll("contracts") List<Contract> contracts, @ForAll("contract") Contract another) {
    Contract before = ContractJoin.of(contracts, null);
    List<Contract> more = new ArrayList<>(contracts);
    more.add(another);
    Contract after = ContractJoin.of(more, null);

    assertThat(parts(after)).containsAll(parts(before));
    assertThat(after.veto()).containsAll(before.veto());
    assertThat(after.independence()).containsAll(before.independence());
    assertThat(after.expiresSeconds()).isLessThanOrEqualTo(before.expiresSeconds());
  }

  private static List<String> parts(Contract contract) {
    return List.of(contract.rule().split(" & "));
  }

  @Provide
  Arbitrary<Contract> contract() {
    return Combinators.combine(
            Arbitraries.of(
                "human", "ci", "human & ci", "ci & human", "human & human", "a & b & ci"),
            Arbitraries.of("x", "y", "z").set().ofMaxSize(2),
            Arbitraries.of(Independence.class).set(),
            Arbitraries.of(OnRefuted.class),
            Arbitraries.longs().between(1, 1_000),
            Arbitraries.of(true, false))
        .as(
            (rule, veto, independence, onRefuted, expires, signed) ->
                new Contract(
                    rule,
                    new TreeSet<>(veto),
                    new TreeSet<>(independence),
                    onRefuted,
                    expires,
                    signed));
  }

  @Provide
  Arbitrary<List<Contract>> contracts() {
    return contract().list().ofMinSize(1).ofMaxSize(4);
  }
}
