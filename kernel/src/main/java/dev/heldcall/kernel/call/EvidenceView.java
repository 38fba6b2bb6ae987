package dev.heldcall.kernel.call;

import dev.heldcall.kernel.witness.AttestationVerifier;
import dev.heldcall.kernel.witness.Evaluation;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.witness.Parties;
import dev.heldcall.kernel.witness.RuleEvaluator;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleShape;
import dev.heldcall.kernel.witness.RuleValue;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.kernel.witness.Vote;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the evidence of a call amounts to at a moment. */
public final class EvidenceView {

  private EvidenceView() {}

  /** The contract in force, or null if nothing must be witnessed. */
  public static @Nullable Contract contract(HeldCallFacts facts) {
    Ruling ruling = facts.ruling();
    return ruling == null ? null : ruling.contract();
  }

  /** The rule in force, or null if nothing must be witnessed. */
  public static @Nullable WitnessRule rule(HeldCallFacts facts) {
    Contract contract = contract(facts);
    return contract == null ? null : RuleParser.parse(contract.rule());
  }

  /**
   * The attestations that count at {@code now}: valid, unexpired, and bound to the call as is.
   * Where the contract asks for distinct identities, delegates count for whom they act for.
   */
  public static List<Vote> votes(HeldCallFacts facts, Instant now) {
    return votes(facts, now, KeyStandings.ALL_STAND);
  }

  private static List<Vote> votes(HeldCallFacts facts, Instant now, KeyStandings keys) {
    List<Evidence> counting =
        facts.evidence().values().stream()
            .filter(each -> counts(facts, each, now) && standsBy(each, keys))
            .toList();
    Parties parties = new Parties();
    if (distinctIdentities(facts)) {
      for (Evidence each : counting) {
        if (each.onBehalfOf() != null) {
          parties.join(each.witness(), each.onBehalfOf());
        }
      }
    }
    return counting.stream().map(each -> vote(each, parties)).toList();
  }

  /** Whether the principal could attest under the class as far as independence goes. */
  public static boolean independent(HeldCallFacts facts, Principal witness, String witnessClass) {
    return AttestationVerifier.independent(witness, witnessClass, EvidenceDecider.binding(facts));
  }

  private static Vote vote(Evidence evidence, Parties parties) {
    return new Vote(
        evidence.attestation().attestationId(),
        evidence.witness(),
        evidence.attestation().witnessClass(),
        evidence.attestation().decision(),
        parties.of(evidence.witness()),
        evidence.attestation().expiresAt());
  }

  static boolean distinctIdentities(HeldCallFacts facts) {
    Contract contract = contract(facts);
    return contract != null && contract.independence().contains(Independence.DISTINCT_IDENTITIES);
  }

  /**
   * Whether the key that it was signed with lets it count: a revoked one never does, and one of
   * which nothing is known supports a deny only.
   */
  private static boolean standsBy(Evidence evidence, KeyStandings keys) {
    return switch (keyOf(evidence, keys)) {
      case STANDS -> true;
      case REVOKED -> false;
      case UNKNOWN -> evidence.attestation().decision() == AttestationDecision.DENY;
    };
  }

  /** How the key stands that it was signed with; without a signature nothing stands against it. */
  static KeyStanding keyOf(Evidence evidence, KeyStandings keys) {
    SignatureKey key = evidence.signedBy();
    return key == null ? KeyStanding.STANDS : keys.of(evidence.witness(), key);
  }

  static boolean counts(HeldCallFacts facts, Evidence evidence, Instant now) {
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    return evidence.state() == EvidenceState.VALID
        && now.isBefore(evidence.attestation().expiresAt())
        && evidence.attestation().generation() == generation.number()
        && evidence.attestation().callDigest().equals(generation.callDigest())
        && ruling != null
        && evidence.attestation().contractDigest().equals(ruling.contractDigest());
  }

  /** The value of the rule, or null if nothing must be witnessed. */
  public static @Nullable Evaluation evaluate(HeldCallFacts facts, Instant now) {
    return evaluate(facts, now, KeyStandings.ALL_STAND);
  }

  private static @Nullable Evaluation evaluate(
      HeldCallFacts facts, Instant now, KeyStandings keys) {
    Contract contract = contract(facts);
    WitnessRule rule = rule(facts);
    if (contract == null || rule == null) {
      return null;
    }
    return RuleEvaluator.evaluate(
        rule,
        contract.veto(),
        distinctIdentities(facts),
        votes(facts, now, keys),
        facts.openFallbacks());
  }

  /** Whether all the evidence that is asked for is there at {@code now}. */
  public static boolean satisfied(HeldCallFacts facts, Instant now) {
    return satisfied(facts, now, KeyStandings.ALL_STAND);
  }

  /** Whether it is there, of what was signed with keys that stand: what a lease rests on. */
  static boolean satisfied(HeldCallFacts facts, Instant now, KeyStandings keys) {
    Ruling ruling = facts.ruling();
    if (ruling == null) {
      return false;
    }
    Evaluation evaluation = evaluate(facts, now, keys);
    return evaluation == null
        ? ruling.verdict() == dev.heldcall.plugin.api.VerdictKind.ALLOW
        : evaluation.readiness() == dev.heldcall.kernel.witness.Readiness.SATISFIED;
  }

  /** What is shown as readiness. */
  public static Readiness readiness(HeldCallFacts facts, Instant now) {
    if (satisfied(facts, now)) {
      return Readiness.SATISFIED;
    }
    Evaluation evaluation = evaluate(facts, now);
    if (evaluation != null
        && evaluation.readiness() == dev.heldcall.kernel.witness.Readiness.REFUTED) {
      return Readiness.REFUTED;
    }
    return facts.superseded() ? Readiness.STALE : Readiness.UNSATISFIED;
  }

  /** The rule's own value at {@code now}; unknown where nothing is asked for. */
  public static RuleValue value(HeldCallFacts facts, Instant now) {
    Evaluation evaluation = evaluate(facts, now);
    return evaluation == null ? RuleValue.UNKNOWN : evaluation.value();
  }

  /** The classes that are asked now. */
  public static Set<String> askedClasses(HeldCallFacts facts) {
    WitnessRule rule = rule(facts);
    return rule == null ? Set.of() : RuleShape.activeClasses(rule, facts.openFallbacks());
  }

  /** When each fallback that is not open yet will be, soonest first. */
  public static List<FallbackDue> fallbacksDue(HeldCallFacts facts) {
    WitnessRule rule = rule(facts);
    Instant started = facts.holdStarted();
    if (rule == null || started == null) {
      return List.of();
    }
    return RuleShape.fallbacks(rule).stream()
        .filter(each -> !facts.openFallbacks().contains(each.index()))
        .map(each -> new FallbackDue(each.index(), started.plus(each.after())))
        .sorted(java.util.Comparator.comparing(FallbackDue::at))
        .toList();
  }

  /**
   * A fallback that opens.
   *
   * @param index its preorder index in the rule
   * @param at when
   */
  public record FallbackDue(int index, Instant at) {}
}
