package dev.heldcall.kernel.call;

import dev.heldcall.kernel.witness.AttestationVerifier;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call asks a principal for its word at a moment. It is for handing out requests, and
 * decides nothing: the verifier judges whatever is attested.
 *
 * @param asked whether it does
 * @param again when it may be worth asking again, or null if it does
 */
public record Asking(boolean asked, @Nullable Instant again) {

  private static final Asking YES = new Asking(true, null);

  /** What an index has wrong is right soon. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** What evidence or policy may change. */
  private static final Duration LATER = Duration.ofSeconds(30);

  /** What a revocation changes; it says so, and this is for the one that could not. */
  private static final Duration ATTESTED = Duration.ofMinutes(5);

  /** What only another generation changes. */
  private static final Duration LONG = Duration.ofHours(1);

  /**
   * Whether it does.
   *
   * @param witnessClass the class that the principal would attest under
   * @param generation the generation that is meant
   */
  public static Asking of(
      HeldCallFacts facts, Principal principal, String witnessClass, int generation, Instant now) {
    Contract contract = EvidenceView.contract(facts);
    if (!facts.undecided()
        || contract == null
        || facts.requireGeneration().number() != generation
        || !facts.requireSpec().proposer().org().equals(principal.org())) {
      return new Asking(false, now.plus(SOON));
    }
    boolean veto = contract.veto().contains(witnessClass);
    if (!veto && !wanted(facts, witnessClass, now)) {
      return new Asking(false, now.plus(LATER));
    }
    if (AttestationVerifier.dependence(principal, EvidenceDecider.binding(facts)).isPresent()) {
      return new Asking(false, now.plus(LONG));
    }
    Instant attested = attestedUntil(facts, principal, now);
    if (attested == null) {
      return YES;
    }
    Instant soon = now.plus(ATTESTED);
    return new Asking(false, attested.isBefore(soon) ? attested : soon);
  }

  private static boolean wanted(HeldCallFacts facts, String witnessClass, Instant now) {
    WitnessRule rule = EvidenceView.rule(facts);
    if (rule == null || !EvidenceView.askedClasses(facts).contains(witnessClass)) {
      return false;
    }
    long approvals =
        EvidenceView.votes(facts, now).stream()
            .filter(vote -> vote.witnessClass().equals(witnessClass))
            .filter(vote -> vote.decision() == AttestationDecision.APPROVE)
            .map(dev.heldcall.kernel.witness.Vote::identity)
            .distinct()
            .count();
    return approvals < most(rule, witnessClass);
  }

  /** The most identities of the class that could be needed. */
  private static int most(WitnessRule rule, String witnessClass) {
    ToIntFunction<WitnessRule> part = each -> most(each, witnessClass);
    return switch (rule) {
      case WitnessRule.OfClass(var name) -> name.equals(witnessClass) ? 1 : 0;
      case WitnessRule.Quorum(int approvals, var name, int _) ->
          name.equals(witnessClass) ? approvals : 0;
      case WitnessRule.AllOf(var parts) -> parts.stream().mapToInt(part).sum();
      case WitnessRule.AnyOf(var parts) -> parts.stream().mapToInt(part).sum();
      case WitnessRule.Fallback(var first, var _, var then) ->
          part.applyAsInt(first) + part.applyAsInt(then);
    };
  }

  private static @Nullable Instant attestedUntil(
      HeldCallFacts facts, Principal principal, Instant now) {
    return facts.evidence().values().stream()
        .filter(each -> each.witness().equals(principal.ref()))
        .filter(each -> EvidenceView.counts(facts, each, now))
        .map(each -> each.attestation().expiresAt())
        .max(Instant::compareTo)
        .orElse(null);
  }
}
