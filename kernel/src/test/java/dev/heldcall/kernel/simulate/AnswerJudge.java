package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;

/** The oracle's judgement of answers: whatever a client is told is in the journal by then. */
final class AnswerJudge {

  private final Oracle oracle;

  AnswerJudge(Oracle oracle) {
    this.oracle = oracle;
  }

  void judge(String heldId, HeldCallCommand command, CallReply reply) {
    ShadowCall call = oracle.call(heldId);
    switch (reply.answer()) {
      case Answer.Refused refused -> refused(heldId, call, refused.rejection().problem());
      case Answer.FreshPolicyNeeded needed ->
          oracle.demand(false, heldId, "an answer that an entity keeps to itself");
      case Answer.Leased leased ->
          said(call.leases.containsKey(leased.lease().leaseId()), heldId, "the lease");
      case Answer.Attested attested -> {
        if (command instanceof HeldCallCommand.Attest attest) {
          ShadowCall.Given given = call.evidence.get(attest.attestation().attestationId());
          said(
              given != null && given.attestation().equals(attest.attestation()),
              heldId,
              "the attestation");
        }
      }
      case Answer.Stands stands -> stands(heldId, call, command);
    }
    if (reply.facts().concluded()) {
      said(call.concluded, heldId, "the conclusion");
    }
  }

  private void said(boolean written, String heldId, String what) {
    oracle.demand(written, heldId, "a client is told of " + what + ", and it is not written");
  }

  private void stands(String heldId, ShadowCall call, HeldCallCommand command) {
    switch (command) {
      case HeldCallCommand.ProposeCall it ->
          said(it.proposal().contentDigest().equals(call.proposalDigest), heldId, "the proposal");
      case HeldCallCommand.EditCall it ->
          said(call.generations.containsKey(it.generation() + 1), heldId, "the edit");
      case HeldCallCommand.CancelCall it -> said(call.cancelled, heldId, "the cancellation");
      case HeldCallCommand.RevokeAttestation it ->
          said(call.revoked.contains(it.attestationId()), heldId, "the revocation");
      case HeldCallCommand.ResolveOutcome it -> said(call.resolved, heldId, "the resolution");
      case HeldCallCommand.AcknowledgeDelivery it ->
          said(call.acknowledged, heldId, "the acknowledgement");
      case HeldCallCommand.ReportOutcome it ->
          said(call.leases.containsKey(it.leaseId()), heldId, "the reported lease");
      default -> {}
    }
  }

  private void refused(String heldId, ShadowCall call, Problem problem) {
    switch (problem) {
      case EFFECT_DISPATCHED -> said(!call.leases.isEmpty(), heldId, "a dispatch");
      case CALL_IDENTITY_CONFLICT -> said(call.proposalDigest != null, heldId, "another proposal");
      case NOT_OPEN -> said(call.end != null, heldId, "an end");
      default -> {}
    }
  }
}
