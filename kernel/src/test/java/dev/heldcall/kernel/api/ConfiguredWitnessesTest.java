package dev.heldcall.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.TokenSettings;
import dev.heldcall.config.WitnessSettings;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfiguredWitnessesTest {

  private static final Clock CLOCK = Clock.systemUTC();

  @BeforeEach
  void noneIsOpen() {
    assertThat(TestWitness.OPEN).hasValue(0);
  }

  private static WitnessSettings settings(String id, String kind, String json) {
    return settings(id, kind, json, null, 0);
  }

  private static WitnessSettings settings(
      String id, String kind, String json, @Nullable Boolean repeatable, int cost) {
    return new WitnessSettings(
        id,
        kind,
        "robot",
        CoreFixtures.witness(id + "-bot", "robot"),
        cost,
        Duration.ofSeconds(3),
        null,
        repeatable,
        OnNestedRefused.DENY,
        Disclosure.FULL,
        Duration.ofHours(1),
        1024,
        CoreFixtures.json(json),
        "node.conf:7",
        java.util.Map.of());
  }

  @Test
  void makesThemCheapestFirstAndClosesThem() {
    try (WitnessProviders made =
        ConfiguredWitnesses.load(
            List.of(
                settings("dear", "kernel-test", "{}", false, 9),
                settings("b", "kernel-test", "{}"),
                settings("a", "kernel-test", "{}")),
            CLOCK)) {
      assertThat(made.of("acme", "robot"))
          .extracting(ProviderContract::id)
          .containsExactly("a", "b", "dear");
      assertThat(made.of("acme", "robot"))
          .extracting(ProviderContract::repeatable)
          .containsExactly(true, true, false);
      assertThat(made.of("acme", "other")).isEmpty();
      assertThat(made.of("rival", "robot")).isEmpty();
      assertThat(made.serve("acme")).isTrue();
      assertThat(made.serve("rival")).isFalse();
      assertThat(TestWitness.OPEN).hasValue(3);
    }
    assertThat(TestWitness.OPEN).hasValue(0);
  }

  @Test
  void namesEveryPlaceThatIsWrongAndLeavesNoneOpen() {
    assertThatThrownBy(
            () ->
                ConfiguredWitnesses.load(
                    List.of(
                        settings("good", "kernel-test", "{}"),
                        settings("odd", "kernel-tset", "{}"),
                        settings("bad", "kernel-test", "{'wrong': 1}")),
                    CLOCK))
        .isInstanceOf(WitnessesRefusedException.class)
        .hasMessageContaining("heldcall.witnesses.odd.kind (node.conf:7): expected one of ")
        .hasMessageContaining("kernel-test")
        .hasMessageContaining("found \"kernel-tset\"")
        .hasMessageContaining(
            "heldcall.witnesses.bad.settings.wrong (node.conf:7): expected nothing");
  }

  @Test
  void aProviderThatBreaksAtTheStartLeavesNoneOpen() {
    assertThatThrownBy(
            () ->
                ConfiguredWitnesses.load(
                    List.of(
                        settings("good", "kernel-test", "{}"),
                        settings("broken", "kernel-test", "{'broken': 1}")),
                    CLOCK))
        .isInstanceOf(WitnessesRefusedException.class)
        .hasMessageContaining("heldcall.witnesses.broken (node.conf:7)")
        .hasMessageContaining("a defect of the provider");
  }

  /** Alice, and these. */
  private static PrincipalRoster roster(WitnessSettings... providers) {
    AuthSettings auth = new AuthSettings(List.of(new TokenSettings("0", CoreFixtures.ALICE)));
    return new PrincipalRoster(auth, List.of(providers), new NodeSignatures(auth, CLOCK));
  }

  @Test
  void aClassThatOnlyAProviderHoldsHasAWitness() {
    WitnessSettings robot = settings("a", "kernel-test", "{}");
    PrincipalRoster without = roster();
    PrincipalRoster with = roster(robot);
    assertThat(without.of("acme").apply("robot")).isEmpty();
    assertThat(with.of("acme").apply("robot")).containsExactly(robot.identity().ref());
    assertThat(with.of("acme").apply("human")).containsExactly(CoreFixtures.ALICE.ref());
    assertThat(with.of("rival").apply("robot")).isEmpty();
    assertThat(with.witness(robot.identity().ref())).contains(robot.identity());
    assertThat(with.witness(new PrincipalRef("acme", "default", "mallory"))).isEmpty();
  }

  @Test
  void aProviderUnderSomebodysNameIsTheSameWitness() {
    WitnessSettings like =
        new WitnessSettings(
            "a",
            "kernel-test",
            "robot",
            CoreFixtures.witness("alice", "robot"),
            0,
            Duration.ofSeconds(3),
            null,
            null,
            OnNestedRefused.DENY,
            Disclosure.FULL,
            Duration.ofHours(1),
            1024,
            CoreFixtures.json("{}"),
            "node.conf:7",
            java.util.Map.of());
    assertThat(roster(like).witness(CoreFixtures.ALICE.ref()).orElseThrow().witnessClasses())
        .containsExactly("human", "robot");
  }
}
