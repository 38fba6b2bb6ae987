package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Rules and votes, given and random. */
final class Rules {

  private Rules() {}

  static PrincipalRef who(String id) {
    return new PrincipalRef("acme", "default", id);
  }

  static Vote approve(String id, String witnessClass) {
    return vote(id, witnessClass, AttestationDecision.APPROVE);
  }

  static Vote deny(String id, String witnessClass) {
    return vote(id, witnessClass, AttestationDecision.DENY);
  }

  private static Vote vote(String id, String witnessClass, AttestationDecision decision) {
    String attestation = id + "-" + witnessClass + "-" + decision.wireName();
    return new Vote(attestation, who(id), witnessClass, decision);
  }

  /** Rules of the classes, as a program may build them: not normalized. */
  static Arbitrary<WitnessRule> random(int depth, int parts, String... classes) {
    Arbitrary<String> names = Arbitraries.of(classes);
    Arbitrary<WitnessRule> leaves =
        Arbitraries.oneOf(
            names.map(OfClass::new),
            Combinators.combine(
                    Arbitraries.integers().between(1, 3),
                    names,
                    Arbitraries.integers().between(1, 2))
                .as(Quorum::new));
    return Arbitraries.recursive(() -> leaves, inner -> compound(inner, parts), 0, depth);
  }

  private static Arbitrary<WitnessRule> compound(Arbitrary<WitnessRule> inner, int parts) {
    Arbitrary<Duration> durations =
        Arbitraries.of(1L, 500L, 1_500L, 30_000L, 600_000L, 5_400_000L, 7_200_000L, 604_800_000L)
            .map(Duration::ofMillis);
    return Arbitraries.oneOf(
        inner.list().ofMinSize(1).ofMaxSize(parts).map(AllOf::new),
        inner.list().ofMinSize(1).ofMaxSize(parts).map(AnyOf::new),
        Combinators.combine(inner, durations, inner).as(Fallback::new));
  }
}
