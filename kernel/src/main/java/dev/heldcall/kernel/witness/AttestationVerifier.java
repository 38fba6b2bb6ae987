package dev.heldcall.kernel.witness;

import dev.heldcall.kernel.witness.Verification.Invalid;
import dev.heldcall.kernel.witness.Verification.Stale;
import dev.heldcall.kernel.witness.Verification.Valid;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The one gate of evidence: people, peers, services and plugins all pass here. It says whether an
 * attestation is bound to the call as it stands and comes from somebody independent; whether that
 * satisfies anything is the rule's to say. Duplicates and conflicts are judged before it, by
 * whoever knows the attestations there are (the design, rule 15).
 */
public final class AttestationVerifier {

  /** How far ahead of the entity's clock a witness's clock may be. */
  static final Duration MAX_AHEAD = Duration.ofMinutes(5);

  private static final String SOMEBODY = "";

  private AttestationVerifier() {}

  /**
   * Judges an attestation, staleness first.
   *
   * @param witness who gave it, as authentication established it
   * @param signature what came of looking at its signature
   * @param binding the call as it stands
   * @param now the entity's time
   */
  public static Verification verify(
      Attestation attestation,
      Principal witness,
      SignatureVerdict signature,
      CallBinding binding,
      Instant now) {
    Optional<Verification> fault =
        staleness(attestation, binding)
            .or(() -> authority(attestation, witness, binding))
            .or(() -> times(attestation, now))
            .or(() -> independence(witness, binding))
            .or(() -> modelFamily(witness, attestation.witnessClass(), binding))
            .or(() -> echo(attestation, binding))
            .or(() -> signature(attestation, signature, binding));
    return fault.orElseGet(Valid::new);
  }

  /** Whether the principal, if it attests under the class, is independent as the call stands. */
  public static boolean independent(Principal witness, String witnessClass, CallBinding binding) {
    return independence(witness, binding).isEmpty()
        && modelFamily(witness, witnessClass, binding).isEmpty();
  }

  private static Optional<Verification> staleness(Attestation a, CallBinding binding) {
    if (!binding.openForEvidence()) {
      return stale(binding.closedReason());
    }
    if (a.generation() != binding.generation()) {
      return stale(
          "it is for generation "
              + a.generation()
              + ", and generation "
              + binding.generation()
              + " stands");
    }
    if (!a.callDigest().equals(binding.callDigest())) {
      return stale("its call digest is not that of the call as it stands");
    }
    if (binding.contractDigest() == null) {
      return stale("the call as it stands has no contract");
    }
    if (!a.contractDigest().equals(binding.contractDigest())) {
      return stale("its contract digest is not that of the contract in force");
    }
    return Optional.empty();
  }

  private static Optional<Verification> authority(
      Attestation a, Principal witness, CallBinding binding) {
    if (!witness.org().equals(binding.proposer().org())) {
      return invalid("the witness is of another organization", SOMEBODY);
    }
    if (!witness.witnessClasses().contains(a.witnessClass())) {
      return invalid(
          "the witness does not hold the class '" + a.witnessClass() + "'", "/witness_class");
    }
    return Optional.empty();
  }

  private static Optional<Verification> times(Attestation a, Instant now) {
    if (!a.expiresAt().isAfter(now)) {
      return invalid("expired already", "/expires_at");
    }
    if (!a.expiresAt().isAfter(a.issuedAt())) {
      return invalid("it expires no later than it was issued", "/expires_at");
    }
    if (a.issuedAt().isAfter(now.plus(MAX_AHEAD))) {
      return invalid(
          "issued more than " + MAX_AHEAD.toMinutes() + " minutes in the future", "/issued_at");
    }
    return Optional.empty();
  }

  /** Why nothing that this witness says of the call could count, or empty. */
  public static Optional<Verification> dependence(Principal witness, CallBinding binding) {
    return independence(witness, binding);
  }

  private static Optional<Verification> independence(Principal witness, CallBinding binding) {
    Principal proposer = binding.proposer();
    if (witness.ref().equals(proposer.ref())) {
      return invalid("not independent: the witness proposed the call", SOMEBODY);
    }
    if (delegates(witness, proposer)) {
      return invalid("not independent: the proposer is the witness's delegate", SOMEBODY);
    }
    if (delegates(proposer, witness)) {
      return invalid("not independent: the witness is the proposer's delegate", SOMEBODY);
    }
    if (witness.ref().equals(binding.editor())) {
      return invalid("not independent: the witness edited this generation", SOMEBODY);
    }
    if (onOneBehalf(witness, proposer)) {
      return invalid(
          "not independent: witness and proposer are delegates of one principal", SOMEBODY);
    }
    if (binding.editor() != null && actsFor(witness, binding.editor())) {
      return invalid(
          "not independent: the witness is the delegate of who edited this generation", SOMEBODY);
    }
    return Optional.empty();
  }

  /**
   * Where the contract asks for another model family. A witness without a recorded family is taken
   * for no model, unless it is an agent too or attests under a class that is named for models. A
   * model is known to be another one than the proposer only if the proposer's family is recorded.
   */
  private static Optional<Verification> modelFamily(
      Principal witness, String witnessClass, CallBinding binding) {
    Contract contract = binding.contract();
    if (contract == null || !contract.independence().contains(Independence.NOT_SAME_MODEL_FAMILY)) {
      return Optional.empty();
    }
    String own = witness.modelFamily();
    String proposers = binding.proposer().modelFamily();
    if (own == null) {
      return witness.has(Role.AGENT) || namedForModels(witnessClass)
          ? invalid(
              "not independent: the contract asks for another model family, and none is recorded"
                  + " for the witness",
              SOMEBODY)
          : Optional.empty();
    }
    if (proposers == null) {
      return invalid(
          "not independent: the contract asks for another model family than the proposer's, and"
              + " none is recorded for the proposer",
          SOMEBODY);
    }
    return own.strip().equalsIgnoreCase(proposers.strip())
        ? invalid(
            "not independent: witness and proposer are of the model family '" + own + "'", SOMEBODY)
        : Optional.empty();
  }

  private static boolean namedForModels(String witnessClass) {
    return witnessClass.equals("model") || witnessClass.endsWith("-model");
  }

  /** An approve must not rest on the proposer's own words; a deny may point at them. */
  private static Optional<Verification> echo(Attestation a, CallBinding binding) {
    if (a.evidence() == null || a.decision() != AttestationDecision.APPROVE) {
      return Optional.empty();
    }
    return Echo.in(a.evidence(), binding).map(Verification.class::cast);
  }

  /** Whether {@code delegate} acts on behalf of {@code principal}. */
  private static boolean delegates(Principal principal, Principal delegate) {
    return actsFor(delegate, principal.ref());
  }

  private static boolean actsFor(Principal delegate, PrincipalRef principal) {
    return principal.id().equals(delegate.onBehalfOf())
        && principal.org().equals(delegate.org())
        && principal.project().equals(delegate.project());
  }

  private static boolean onOneBehalf(Principal one, Principal other) {
    return one.onBehalfOf() != null
        && one.onBehalfOf().equals(other.onBehalfOf())
        && one.org().equals(other.org())
        && one.project().equals(other.project());
  }

  /** One that is there must prove itself, also where the contract asks for none. */
  private static Optional<Verification> signature(
      Attestation a, SignatureVerdict signature, CallBinding binding) {
    return switch (signature) {
      case SignatureVerdict.Failed failed -> invalid(failed.reason(), "/signature");
      case SignatureVerdict.Verified verified ->
          a.signature() == null
              ? invalid("there is no signature that could have been verified", "/signature")
              : Optional.empty();
      case SignatureVerdict.Unsigned unsigned -> {
        if (a.signature() != null) {
          yield invalid("its signature was not verified", "/signature");
        }
        Contract contract = binding.contract();
        yield contract != null && contract.signed()
            ? invalid("the contract asks for a signed attestation", "/signature")
            : Optional.empty();
      }
    };
  }

  private static Optional<Verification> stale(String reason) {
    return Optional.of(new Stale(reason));
  }

  private static Optional<Verification> invalid(String reason, String pointer) {
    return Optional.of(new Invalid(reason, pointer));
  }
}
