package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.VerdictKind;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The fold of verdicts (the design, policy). Within a layer every matching rule counts and the most
 * restrictive wins: DENY, REQUIRE_WITNESS, TRANSFORM, ALLOW, DEFER. Across layers DEFER climbs, the
 * most restrictive of the rest wins, and nobody having decided is INDETERMINATE.
 *
 * <p>The user and per-call layers only narrow: an ALLOW of theirs is a DEFER (the design, rule 9),
 * and without a decision above them a demand of theirs changes nothing, since a caller could
 * otherwise pick the witness who releases what no authority allowed.
 */
final class VerdictFold {

  private static final Comparator<VerdictKind> MOST_RESTRICTIVE_FIRST =
      Comparator.comparingInt(VerdictKind::severity);

  private VerdictFold() {}

  /**
   * The verdict of one layer.
   *
   * @param matched what its matching rules say, in any order
   * @param otherwise the layer's default, for when no rule matched
   */
  static VerdictKind within(Collection<VerdictKind> matched, VerdictKind otherwise) {
    return matched.stream().min(MOST_RESTRICTIVE_FIRST).orElse(otherwise);
  }

  /** The effective verdict over the layers' own; a layer left out deferred. */
  static VerdictKind across(Map<PolicyLayer, VerdictKind> layers) {
    VerdictKind decided =
        decisions(layers, false).min(MOST_RESTRICTIVE_FIRST).orElse(VerdictKind.INDETERMINATE);
    Stream<VerdictKind> narrowing =
        decisions(layers, true)
            .filter(verdict -> verdict != VerdictKind.ALLOW)
            .filter(verdict -> verdict == VerdictKind.DENY || decided != VerdictKind.INDETERMINATE);
    return Stream.concat(Stream.of(decided), narrowing)
        .min(MOST_RESTRICTIVE_FIRST)
        .orElse(VerdictKind.INDETERMINATE);
  }

  private static Stream<VerdictKind> decisions(
      Map<PolicyLayer, VerdictKind> layers, boolean onlyNarrowing) {
    return layers.entrySet().stream()
        .filter(entry -> entry.getKey().onlyNarrows() == onlyNarrowing)
        .map(Map.Entry::getValue)
        .filter(verdict -> verdict != VerdictKind.DEFER && verdict != VerdictKind.INDETERMINATE);
  }
}
