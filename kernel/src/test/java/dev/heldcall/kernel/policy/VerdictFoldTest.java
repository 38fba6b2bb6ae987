package dev.heldcall.kernel.policy;

import static dev.heldcall.plugin.api.VerdictKind.ALLOW;
import static dev.heldcall.plugin.api.VerdictKind.DEFER;
import static dev.heldcall.plugin.api.VerdictKind.DENY;
import static dev.heldcall.plugin.api.VerdictKind.REQUIRE_WITNESS;
import static dev.heldcall.plugin.api.VerdictKind.TRANSFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.VerdictKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictFoldTest {

  /** Every pair of the order DENY, REQUIRE_WITNESS, TRANSFORM, ALLOW, DEFER. */
  @ParameterizedTest
  @CsvSource({
    "DENY, REQUIRE_WITNESS",
    "DENY, TRANSFORM",
    "DENY, ALLOW",
    "DENY, DEFER",
    "REQUIRE_WITNESS, TRANSFORM",
    "REQUIRE_WITNESS, ALLOW",
    "REQUIRE_WITNESS, DEFER",
    "TRANSFORM, ALLOW",
    "TRANSFORM, DEFER",
    "ALLOW, DEFER"
  })
  void withinALayerTheMostRestrictiveWins(VerdictKind winner, VerdictKind loser) {
    assertThat(VerdictFold.within(List.of(winner, loser), DEFER)).isEqualTo(winner);
    assertThat(VerdictFold.within(List.of(loser, winner), ALLOW)).isEqualTo(winner);
  }

  @ParameterizedTest
  @CsvSource({"DENY", "ALLOW", "DEFER"})
  void aLayerWithoutAMatchSaysItsDefault(VerdictKind otherwise) {
    assertThat(VerdictFold.within(List.of(), otherwise)).isEqualTo(otherwise);
  }

  @ParameterizedTest
  @CsvSource({
    // floor, organization, user, call, effective
    "DEFER, DEFER, DEFER, DEFER, INDETERMINATE",
    "ALLOW, DEFER, DEFER, DEFER, ALLOW",
    "DEFER, ALLOW, DEFER, DEFER, ALLOW",
    "ALLOW, DENY, DEFER, DEFER, DENY",
    "DENY, ALLOW, ALLOW, ALLOW, DENY",
    "ALLOW, REQUIRE_WITNESS, DEFER, DEFER, REQUIRE_WITNESS",
    "REQUIRE_WITNESS, ALLOW, ALLOW, DEFER, REQUIRE_WITNESS",
    "ALLOW, TRANSFORM, DEFER, DEFER, TRANSFORM",
    "ALLOW, DEFER, REQUIRE_WITNESS, DEFER, REQUIRE_WITNESS",
    "ALLOW, DEFER, DEFER, REQUIRE_WITNESS, REQUIRE_WITNESS",
    "ALLOW, DEFER, DENY, DEFER, DENY",
    "DEFER, DEFER, DENY, DEFER, DENY",
    // rule 9: these layers only narrow
    "DEFER, DEFER, ALLOW, DEFER, INDETERMINATE",
    "DEFER, DEFER, DEFER, ALLOW, INDETERMINATE",
    "DEFER, DEFER, ALLOW, ALLOW, INDETERMINATE",
    "DEFER, DEFER, DEFER, REQUIRE_WITNESS, INDETERMINATE",
    "DEFER, DEFER, REQUIRE_WITNESS, DEFER, INDETERMINATE"
  })
  void acrossLayers(
      VerdictKind floor,
      VerdictKind organization,
      VerdictKind user,
      VerdictKind call,
      VerdictKind effective) {
    assertThat(
            VerdictFold.across(
                Map.of(
                    PolicyLayer.FLOOR,
                    floor,
                    PolicyLayer.ORGANIZATION,
                    organization,
                    PolicyLayer.USER,
                    user,
                    PolicyLayer.CALL,
                    call)))
        .isEqualTo(effective);
  }

  @Property
  void anotherMatchNeverWidensALayer(
      @ForAll("verdicts") List<VerdictKind> matched, @ForAll("verdict") VerdictKind another) {
    if (matched.isEmpty()) {
      return;
    }
    List<VerdictKind> more = new ArrayList<>(matched);
    more.add(another);

    assertThat(VerdictFold.within(more, DEFER).severity())
        .isLessThanOrEqualTo(VerdictFold.within(matched, DEFER).severity());
  }

  @Property
  void orderAndRepetitionWithinALayerChangeNothing(
      @ForAll("verdicts") List<VerdictKind> matched, @ForAll long seed) {
    List<VerdictKind> shuffled = new ArrayList<>(matched);
    shuffled.addAll(matched);
    Collections.shuffle(shuffled, new Random(seed));

    assertThat(VerdictFold.within(shuffled, DEFER)).isEqualTo(VerdictFold.within(matched, DEFER));
  }

  @Property
  void aDenyAnywhereDenies(@ForAll("layers") Map<PolicyLayer, VerdictKind> layers) {
    for (PolicyLayer layer : PolicyLayer.values()) {
      Map<PolicyLayer, VerdictKind> denied = with(layers, layer, DENY);
      assertThat(VerdictFold.across(denied)).isEqualTo(DENY);
    }
  }

  @Property
  void aNarrowingLayerNeverWidens(
      @ForAll("layers") Map<PolicyLayer, VerdictKind> layers, @ForAll("verdict") VerdictKind said) {
    for (PolicyLayer layer : List.of(PolicyLayer.USER, PolicyLayer.CALL)) {
      VerdictKind without = VerdictFold.across(with(layers, layer, DEFER));
      VerdictKind with = VerdictFold.across(with(layers, layer, said));
      assertThat(reach(with)).isLessThanOrEqualTo(reach(without));
    }
  }

  @Property
  void aDecisionOfOneLayerIsNeverWidenedByAnother(
      @ForAll("layers") Map<PolicyLayer, VerdictKind> layers) {
    VerdictKind effective = VerdictFold.across(layers);
    layers.forEach(
        (layer, said) -> {
          if (!layer.onlyNarrows() && said != DEFER) {
            assertThat(reach(effective)).isLessThanOrEqualTo(reach(said));
          }
        });
  }

  @Property
  void deferIsNeverTheEffectiveVerdict(@ForAll("layers") Map<PolicyLayer, VerdictKind> layers) {
    assertThat(VerdictFold.across(layers)).isNotEqualTo(DEFER);
  }

  /** How far a call gets: nothing runs under DENY and INDETERMINATE. */
  private static int reach(VerdictKind verdict) {
    return switch (verdict) {
      case DENY, INDETERMINATE -> 0;
      case REQUIRE_WITNESS -> 1;
      case TRANSFORM -> 2;
      case ALLOW -> 3;
      case DEFER -> throw new IllegalArgumentException("no effective verdict");
    };
  }

  private static Map<PolicyLayer, VerdictKind> with(
      Map<PolicyLayer, VerdictKind> layers, PolicyLayer layer, VerdictKind verdict) {
    Map<PolicyLayer, VerdictKind> changed = new EnumMap<>(PolicyLayer.class);
    changed.putAll(layers);
    changed.put(layer, verdict);
    return changed;
  }

  @Provide
  Arbitrary<VerdictKind> verdict() {
    return Arbitraries.of(DENY, REQUIRE_WITNESS, TRANSFORM, ALLOW, DEFER);
  }

  @Provide
  Arbitrary<List<VerdictKind>> verdicts() {
    return verdict().list().ofMaxSize(6);
  }

  @Provide
  Arbitrary<Map<PolicyLayer, VerdictKind>> layers() {
    return Arbitraries.maps(Arbitraries.of(PolicyLayer.class), verdict());
  }
}
