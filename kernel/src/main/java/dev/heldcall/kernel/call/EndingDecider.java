package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallCommand.AcknowledgeDelivery;
import dev.heldcall.kernel.call.HeldCallCommand.CancelCall;
import dev.heldcall.kernel.witness.Evaluation;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.OnRefuted;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Decides on ends and on acknowledgement. */
final class EndingDecider {

  private EndingDecider() {}

  static Decision cancel(Draft draft, CancelCall command) {
    HeldCallFacts facts = draft.facts();
    Rejection refused = Access.proposerOrOperator(facts, command.by());
    if (refused != null) {
      return draft.refuse(refused);
    }
    if (facts.lifecycle() == Lifecycle.CANCELLED) {
      return draft.stands();
    }
    if (facts.lifecycle() != Lifecycle.OPEN) {
      return draft.refuse(
          Problem.NOT_OPEN, "the call is " + facts.lifecycle().wireName() + " already");
    }
    if (facts.dispatched()) {
      if (facts.cancelWish() == null) {
        draft.add(
            meta -> new HeldCallEvent.CancelRequested(meta, command.by().id(), command.reason()));
      }
      return draft.refuse(
          new Rejection(
              Problem.EFFECT_DISPATCHED,
              "the effect was dispatched: the call cannot be cancelled any more; the wish is on"
                  + " record",
              List.of(),
              facts.execution()));
    }
    draft.add(meta -> new HeldCallEvent.CallCancelled(meta, command.by().id(), command.reason()));
    return draft.stands();
  }

  static Decision expire(Draft draft) {
    if (expired(draft.facts(), draft.now())) {
      draft.addByKernel(HeldCallEvent.CallExpired::new);
    }
    return draft.stands();
  }

  /** Whether an undecided call's time has run out: now is at or past {@code expires_at}. */
  static boolean expired(HeldCallFacts facts, Instant now) {
    Instant expiresAt = facts.expiresAt();
    return facts.undecided() && expiresAt != null && !now.isBefore(expiresAt);
  }

  static Decision expireAttestation(Draft draft, String attestationId) {
    Evidence known = draft.facts().evidence().get(attestationId);
    if (known != null
        && known.state() == EvidenceState.VALID
        && !draft.now().isBefore(known.attestation().expiresAt())) {
      draft.addByKernel(meta -> new HeldCallEvent.AttestationExpired(meta, attestationId));
    }
    return draft.stands();
  }

  static Decision revokeWithKey(Draft draft, String attestationId) {
    Evidence known = draft.facts().evidence().get(attestationId);
    if (known != null
        && known.signedBy() != null
        && Enabling.evidenceOfRevokedKeys(draft.facts(), draft.context()).contains(attestationId)) {
      String keyId = known.signedBy().keyId();
      draft.addByKernel(
          meta -> new HeldCallEvent.AttestationKeyRevoked(meta, attestationId, keyId));
    }
    return draft.stands();
  }

  static Decision openFallback(Draft draft, int index) {
    HeldCallFacts facts = draft.facts();
    boolean due =
        facts.undecided()
            && EvidenceView.fallbacksDue(facts).stream()
                .anyMatch(each -> each.index() == index && !draft.now().isBefore(each.at()));
    if (due) {
      int generation = facts.requireGeneration().number();
      draft.addByKernel(meta -> new HeldCallEvent.FallbackOpened(meta, generation, index));
    }
    return draft.stands();
  }

  /** Whether the rule is refuted and the contract makes that the end. */
  static boolean endsRefuted(HeldCallFacts facts, Instant now) {
    Contract contract = EvidenceView.contract(facts);
    if (!facts.undecided() || contract == null || contract.onRefuted() != OnRefuted.DENY) {
      return false;
    }
    Evaluation evaluation = EvidenceView.evaluate(facts, now);
    return evaluation != null
        && evaluation.readiness() == dev.heldcall.kernel.witness.Readiness.REFUTED;
  }

  static Decision refuseRefuted(Draft draft) {
    if (endsRefuted(draft.facts(), draft.now())) {
      Evidence deny = lastDeny(draft.facts(), draft.now());
      String by = deny == null ? "policy" : deny.witness().id();
      String reason = deny == null ? "the witness rule was refuted" : words(deny.attestation());
      draft.addByKernel(meta -> new HeldCallEvent.CallDenied(meta, by, reason));
    }
    return draft.stands();
  }

  private static @org.jspecify.annotations.Nullable Evidence lastDeny(
      HeldCallFacts facts, Instant now) {
    return facts.evidence().values().stream()
        .filter(each -> each.attestation().decision() == AttestationDecision.DENY)
        .filter(each -> EvidenceView.counts(facts, each, now))
        .reduce((first, second) -> second)
        .orElse(null);
  }

  private static String words(Attestation attestation) {
    return Objects.requireNonNullElse(
        attestation.reason(), "denied as " + attestation.witnessClass() + ", without a reason");
  }

  static Decision honourCancelWish(Draft draft) {
    CallEnd wish = draft.facts().cancelWish();
    if (draft.facts().undecided() && wish != null) {
      draft.addByKernel(meta -> new HeldCallEvent.CallCancelled(meta, wish.by(), wish.reason()));
    }
    return draft.stands();
  }

  static Decision acknowledge(Draft draft, AcknowledgeDelivery command) {
    HeldCallFacts facts = draft.facts();
    Rejection refused = Access.proposerOnly(facts, command.by());
    if (refused != null) {
      return draft.refuse(refused);
    }
    if (!facts.concluded() || !OutcomeJson.deliveryId(facts).equals(command.deliveryId())) {
      return draft.refuse(
          Problem.NOT_FOUND, "no delivery '" + command.deliveryId() + "' in this session");
    }
    if (facts.delivery() != Delivery.ACKNOWLEDGED) {
      draft.add(meta -> new HeldCallEvent.DeliveryAcknowledged(meta, command.deliveryId()));
    }
    return draft.stands();
  }
}
