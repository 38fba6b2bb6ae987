package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.work.LoopResult;
import org.jspecify.annotations.Nullable;

/** Said is written: an answer says nothing that the facts do not show. */
final class Said {

  private Said() {}

  static void isWritten(HeldCallFacts before, HeldCallCommand command, LoopResult result) {
    HeldCallFacts after = result.facts();
    Problem refused =
        result.answer() instanceof Answer.Refused it ? it.rejection().problem() : null;
    boolean stands = result.answer() instanceof Answer.Stands;
    boolean shown =
        switch (command) {
          case HeldCallCommand.CancelCall it ->
              stands
                  ? after.lifecycle() == Lifecycle.CANCELLED
                  : refused != Problem.EFFECT_DISPATCHED || after.cancelWish() != null;
          case HeldCallCommand.EditCall it ->
              !stands
                  || after.requireGeneration().number() == before.requireGeneration().number() + 1;
          case HeldCallCommand.Attest it ->
              !(result.answer() instanceof Answer.Attested)
                  || after.evidence().containsKey(it.attestation().attestationId());
          case HeldCallCommand.RevokeAttestation it ->
              !stands || revoked(after.evidence().get(it.attestationId()));
          case HeldCallCommand.TakeLease it ->
              !(result.answer() instanceof Answer.Leased leased)
                  || after.lease(leased.lease().leaseId()) != null;
          case HeldCallCommand.ReportOutcome it ->
              !stands || settled(after, it.leaseId(), it.succeeded());
          case HeldCallCommand.ResolveOutcome it -> !stands || after.resolution() != null;
          case HeldCallCommand.AcknowledgeDelivery it ->
              !stands || after.delivery() == Delivery.ACKNOWLEDGED;
          case HeldCallCommand.ProposeCall it -> !stands || after.proposed();
          case HeldCallCommand.RefuseAttestation it -> refused != null;
          case HeldCallCommand.AnnounceChild it -> true;
          case HeldCallCommand.Tick it -> true;
          case HeldCallCommand.ReportDispatch it -> true;
          case HeldCallCommand.ReportReadBack it -> true;
          case HeldCallCommand.ReportDependency it -> true;
          case HeldCallCommand.EndWithParent it -> true;
          case HeldCallCommand.KernelCommand it -> true;
        };
    Violation.demand(
        shown, "12 said is written: " + command.getClass().getSimpleName() + " " + result.answer());
  }

  private static boolean revoked(@Nullable Evidence evidence) {
    return evidence != null && evidence.state() == EvidenceState.REVOKED;
  }

  /** A worker whose report was taken is on record, but a failure to one of several leases. */
  private static boolean settled(HeldCallFacts after, String leaseId, boolean succeeded) {
    return after.outcome() != null || (!succeeded && after.lease(leaseId) != null);
  }
}
