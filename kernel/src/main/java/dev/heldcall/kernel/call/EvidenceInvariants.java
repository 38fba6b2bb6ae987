package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallEvent.AttestationAccepted;
import dev.heldcall.kernel.call.HeldCallEvent.CallEdited;
import dev.heldcall.kernel.call.HeldCallEvent.CallRuled;
import dev.heldcall.kernel.call.Invariants.Step;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.Objects;

/** The invariants of evidence, generations and rulings: 3, 5, and of 1 and 9 what concerns them. */
final class EvidenceInvariants {

  private EvidenceInvariants() {}

  static void check(Step step) {
    worth(step);
    if (step.event() instanceof AttestationAccepted accepted) {
      accepted(step, accepted);
    } else if (step.event() instanceof CallEdited) {
      edited(step);
    } else if (step.event() instanceof CallRuled ruled) {
      ruled(step, ruled);
    }
  }

  private static void worth(Step step) {
    if (!step.after().proposed()) {
      return;
    }
    int current = step.after().requireGeneration().number();
    step.after()
        .evidence()
        .forEach(
            (id, evidence) -> {
              step.demand(
                  evidence.state() != EvidenceState.VALID
                      || evidence.attestation().generation() == current,
                  Invariant.CLEAN_SLATE,
                  "evidence of an older generation still counts");
              Evidence known = step.before().evidence().get(id);
              step.demand(
                  known == null
                      || (known.attestation().equals(evidence.attestation())
                          && known.witness().equals(evidence.witness())),
                  Invariant.NEVER_UNDONE,
                  "an attestation was changed");
              step.demand(
                  known == null
                      || known.state() == EvidenceState.VALID
                      || evidence.state() != EvidenceState.VALID,
                  Invariant.NEVER_UNDONE,
                  "evidence that had lost its worth counts again");
            });
  }

  private static void accepted(Step step, AttestationAccepted event) {
    HeldCallFacts before = step.before();
    Attestation given = event.attestation();
    Ruling ruling = before.ruling();
    Generation generation = before.generation();
    boolean bound =
        ruling != null
            && generation != null
            && given.generation() == generation.number()
            && given.callDigest().equals(generation.callDigest())
            && given.contractDigest().equals(ruling.contractDigest());
    step.demand(bound, Invariant.BOUND_EVIDENCE, "the attestation is not bound to the call as is");
    step.demand(before.undecided(), Invariant.BOUND_EVIDENCE, "evidence was taken too late");
    step.demand(
        given.expiresAt().isAfter(event.meta().at()),
        Invariant.BOUND_EVIDENCE,
        "evidence was taken that had expired");
    step.demand(
        !before.evidence().containsKey(given.attestationId()),
        Invariant.APPEND_ONCE,
        "an attestation id was taken twice");
    PrincipalRef proposer = before.requireSpec().proposer().ref();
    step.demand(
        !event.witness().equals(proposer)
            && !proposer.equals(event.onBehalfOf())
            && event.witness().org().equals(proposer.org())
            && (generation == null || !event.witness().equals(generation.editor())),
        Invariant.BOUND_EVIDENCE,
        "the witness is not independent");
  }

  private static void edited(Step step) {
    HeldCallFacts after = step.after();
    step.demand(
        step.before().undecided(), Invariant.CLEAN_SLATE, "an edit after the end or the dispatch");
    step.demand(
        after.ruling() == null && after.openFallbacks().isEmpty() && after.holdStarted() == null,
        Invariant.CLEAN_SLATE,
        "something of the older generation stands");
    step.demand(
        after.requireGeneration().editor() != null,
        Invariant.CLEAN_SLATE,
        "nobody made the generation");
  }

  private static void ruled(Step step, CallRuled event) {
    Ruling ruling = event.ruling();
    Ruling known = step.before().ruling();
    Contract contract = ruling.contract();
    Digest digest = contract == null ? null : Digests.contract(contract);
    step.demand(
        Objects.equals(digest, ruling.contractDigest()),
        Invariant.BOUND_EVIDENCE,
        "the contract's digest is not its own");
    step.demand(
        (ruling.verdict() == VerdictKind.REQUIRE_WITNESS) == (contract != null),
        Invariant.FAIL_CLOSED,
        "the verdict and the contract do not fit");
    step.demand(
        step.before().undecided(), Invariant.WITNESSED_EFFECT, "a ruling after end or dispatch");
    step.demand(
        step.before().proposed()
            && ruling.generation() == step.before().requireGeneration().number(),
        Invariant.WITNESSED_EFFECT,
        "the ruling is about another generation");
    if (known != null) {
      step.demand(
          known.verdict() != VerdictKind.REQUIRE_WITNESS || ruling.verdict() != VerdictKind.ALLOW,
          Invariant.WITNESSED_EFFECT,
          "waiting turned into allowing");
      step.demand(
          ruling.epoch() >= known.epoch(), Invariant.TIME, "the ruling is of an older epoch");
    }
  }
}
