package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.call.HeldCallCommand.Attest;
import dev.heldcall.kernel.call.HeldCallCommand.RefuseAttestation;
import dev.heldcall.kernel.call.HeldCallCommand.RevokeAttestation;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.witness.AttestationVerifier;
import dev.heldcall.kernel.witness.CallBinding;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.kernel.witness.Supplied;
import dev.heldcall.kernel.witness.Verification;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides on attestations and revocations. The order of judgement is duplicate or conflict, stale,
 * invalid (rule 15); every refusal is on record, up to a bound.
 */
final class EvidenceDecider {

  /** So many attestations of each witness are taken in whatever others have on record. */
  private static final int RESERVED = 4;

  /** So many more are kept for those who have said little yet. */
  private static final int SPARE = 32;

  /** All that is kept must be able to expire in one turn. */
  private static final int MOST = 200;

  private EvidenceDecider() {}

  static Decision attest(Draft draft, Attest command) {
    HeldCallFacts facts = draft.facts();
    Rejection missing = Access.toKnow(facts, command.witness());
    if (missing != null) {
      return draft.refuse(missing);
    }
    Attestation given = command.attestation();
    Evidence known = facts.evidence().get(given.attestationId());
    if (known != null) {
      if (sameContent(known.attestation(), given)
          && known.witness().equals(command.witness().ref())) {
        return draft.answer(new Answer.Attested(true));
      }
      return refuse(
          draft,
          command.witness(),
          given.attestationId(),
          "conflict",
          Rejection.of(
              Problem.ATTESTATION_CONFLICT,
              "another content was accepted under the attestation_id '"
                  + given.attestationId()
                  + "'"));
    }
    Verification verification =
        AttestationVerifier.verify(
            given,
            command.witness(),
            signature(draft, command),
            binding(facts, given.evidence() == null ? Supplied.NOTHING : supplied(facts)),
            draft.now());
    return switch (verification) {
      case Verification.Valid valid -> {
        if (overBound(draft, command.witness())) {
          yield draft.refuse(
              Problem.TOO_MANY_REFUSALS,
              "as many of your attestations on this call are on record as are taken in, or of"
                  + " everybody's");
        }
        SignatureKey key =
            command.signature() instanceof SignatureVerdict.Verified signed ? signed.key() : null;
        draft.add(
            meta ->
                new HeldCallEvent.AttestationAccepted(
                    meta, given, command.witness().ref(), key, actsFor(command.witness())));
        yield draft.answer(new Answer.Attested(false));
      }
      case Verification.Stale stale ->
          refuse(
              draft,
              command.witness(),
              given.attestationId(),
              "stale",
              Rejection.of(Problem.STALE, stale.reason()));
      case Verification.Invalid invalid ->
          refuse(
              draft,
              command.witness(),
              given.attestationId(),
              "invalid",
              new Rejection(
                  Problem.INVALID,
                  invalid.reason(),
                  invalid.pointer().isEmpty()
                      ? List.of()
                      : List.of(new Rejection.FieldError(invalid.pointer(), invalid.reason())),
                  null));
    };
  }

  /** As it was found before the command, unless the key was revoked since. */
  private static SignatureVerdict signature(Draft draft, Attest command) {
    PrincipalRef owner = command.witness().ref();
    return command.signature() instanceof SignatureVerdict.Verified signed
            && draft.context().keys().of(owner, signed.key()) == KeyStanding.REVOKED
        ? new SignatureVerdict.Failed("the key '" + signed.key().keyId() + "' is revoked")
        : command.signature();
  }

  /**
   * Whether no more is taken in of a witness. The bound is each witness's own first: nobody who
   * says much, and takes it back, may keep others from a word that counts.
   */
  private static boolean overBound(Draft draft, Principal witness) {
    HeldCallFacts facts = draft.facts();
    int bound = Math.min(MOST, draft.context().refusalBound());
    long own =
        facts.evidence().values().stream()
            .filter(each -> each.witness().equals(witness.ref()))
            .count();
    int all = facts.evidence().size();
    return own >= Math.max(RESERVED, bound / 2)
        || (all >= bound && own >= RESERVED)
        || all >= bound + SPARE;
  }

  private static @Nullable PrincipalRef actsFor(Principal witness) {
    return witness.onBehalfOf() == null
        ? null
        : new PrincipalRef(witness.org(), witness.project(), witness.onBehalfOf());
  }

  /** Equal but for how the trees spell their numbers. */
  private static boolean sameContent(Attestation a, Attestation b) {
    return withoutTrees(a).equals(withoutTrees(b))
        && sameTree(a.evidence(), b.evidence())
        && sameTree(a.signature(), b.signature());
  }

  private static Attestation withoutTrees(Attestation of) {
    return new Attestation(
        of.attestationId(),
        of.generation(),
        of.callDigest(),
        of.contractDigest(),
        of.witnessClass(),
        of.decision(),
        of.reason(),
        null,
        of.issuedAt(),
        of.expiresAt(),
        null);
  }

  private static boolean sameTree(@Nullable JsonNode a, @Nullable JsonNode b) {
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return CanonicalJson.text(a).equals(CanonicalJson.text(b));
  }

  /** What an attestation must be bound to now, as far as it brings no evidence of its own. */
  static CallBinding binding(HeldCallFacts facts) {
    return binding(facts, Supplied.NOTHING);
  }

  private static CallBinding binding(HeldCallFacts facts, Supplied supplied) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    boolean open = facts.undecided();
    String closed =
        facts.lifecycle() != Lifecycle.OPEN
            ? "the call is " + facts.lifecycle().wireName()
            : "the effect was dispatched";
    return new CallBinding(
        spec.heldId(),
        generation.number(),
        generation.callDigest(),
        ruling == null ? null : ruling.contractDigest(),
        open,
        closed,
        spec.proposer(),
        generation.editor(),
        ruling == null ? null : ruling.contract(),
        supplied);
  }

  /** What the proposer itself has said: evidence must be something else. */
  private static Supplied supplied(HeldCallFacts facts) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Stream<@Nullable String> words =
        Stream.of(
            spec.continuationRef(),
            spec.preferences().require(),
            spec.sessionId(),
            spec.turnId(),
            spec.callId(),
            generation.tool(),
            generation.argsDigest().value());
    // What is hidden from witnesses is not compared: the refusal would tell who guesses right.
    JsonNode shown = Presentation.disclosed(facts, Disclosure.FULL).args();
    return new Supplied(
        shown == null ? NullNode.instance : shown, words.filter(Objects::nonNull).toList());
  }

  static Decision refuseUnread(Draft draft, RefuseAttestation command) {
    Rejection missing = Access.toKnow(draft.facts(), command.witness());
    if (missing != null) {
      return draft.refuse(missing);
    }
    Problem problem = command.forbidden() ? Problem.FORBIDDEN : Problem.INVALID;
    return refuse(
        draft,
        command.witness(),
        command.attestationId(),
        command.forbidden() ? "forbidden" : "invalid",
        new Rejection(problem, command.reason(), command.errors(), null));
  }

  private static Decision refuse(
      Draft draft,
      Principal witness,
      @Nullable String attestationId,
      String disposition,
      Rejection rejection) {
    int number = draft.facts().refusals() + 1;
    if (number > draft.context().refusalBound()) {
      return draft.refuse(
          Problem.TOO_MANY_REFUSALS,
          "this call has "
              + draft.facts().refusals()
              + " refused attestations on record; no more are taken in");
    }
    draft.add(
        meta ->
            new HeldCallEvent.AttestationRefused(
                meta, number, attestationId, witness.ref(), disposition, rejection.detail()));
    return draft.refuse(rejection);
  }

  static Decision revoke(Draft draft, RevokeAttestation command) {
    HeldCallFacts facts = draft.facts();
    Rejection missing = Access.toKnow(facts, command.by());
    if (missing != null) {
      return draft.refuse(missing);
    }
    Evidence known = facts.evidence().get(command.attestationId());
    if (known == null) {
      return draft.refuse(
          Problem.NOT_FOUND, "no attestation '" + command.attestationId() + "' was accepted");
    }
    boolean own = known.witness().equals(command.by().ref());
    if (!own && !command.by().has(Role.OPERATOR)) {
      return draft.refuse(
          Problem.FORBIDDEN, "only the witness who gave it or an operator may revoke it");
    }
    if (known.state() == EvidenceState.REVOKED) {
      return draft.stands();
    }
    if (!facts.undecided()) {
      if (facts.events() < draft.context().refusalBound() * 2L) {
        draft.add(
            meta ->
                new HeldCallEvent.RevocationCameLate(
                    meta, command.attestationId(), command.by().ref(), command.reason()));
      }
      return draft.refuse(
          new Rejection(
              Problem.TOO_LATE,
              facts.lifecycle() == Lifecycle.OPEN
                  ? "the effect was dispatched before"
                  : "the call is " + facts.lifecycle().wireName(),
              List.of(),
              facts.execution()));
    }
    draft.add(
        meta ->
            new HeldCallEvent.AttestationRevoked(
                meta, command.attestationId(), command.by().ref(), command.reason()));
    return draft.stands();
  }
}
