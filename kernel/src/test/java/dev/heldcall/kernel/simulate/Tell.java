package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.entity.Settlements;
import dev.heldcall.kernel.lease.Lease;

/** What happens in a simulation, in few words. */
final class Tell {

  private Tell() {}

  static String event(Object event) {
    String kind = event.getClass().getSimpleName();
    return switch (event) {
      case HeldCallEvent.LeaseGranted it ->
          kind + " " + it.lease().token() + " epoch " + it.lease().epoch();
      case HeldCallEvent.CallRuled it ->
          kind + " " + it.ruling().verdict() + " epoch " + it.ruling().epoch();
      case HeldCallEvent.AttestationAccepted it ->
          kind + " " + it.attestation().attestationId() + " " + it.attestation().decision();
      case HeldCallEvent.LeaseEndedWithoutEffect it ->
          kind + " " + it.leaseId() + ": " + it.proof();
      case HeldCallEvent.OutcomeBecameUnknown it -> kind + " " + it.leaseId() + ": " + it.reason();
      case HeldCallEvent.OutcomeRecorded it -> kind + " " + it.succeeded() + " by " + it.source();
      case HeldCallEvent.CallDenied it -> kind + " by " + it.by() + ": " + it.reason();
      case HeldCallEvent.DependencySettled it -> kind + " " + it.state();
      default -> kind;
    };
  }

  static String message(CallMessage message) {
    return message instanceof CallMessage.Execute execute
        ? execute.command().getClass().getSimpleName()
        : message.getClass().getSimpleName();
  }

  static String lease(Simulation world, Lease lease) {
    return world.shortName(lease.heldId()) + " " + lease.token();
  }

  static String answer(Answer answer) {
    return answer instanceof Answer.Refused refused
        ? "refused: " + refused.rejection().problem().wireName()
        : answer.getClass().getSimpleName();
  }

  /** How a call stands for those who wait for it, in the entity's own words. */
  static CallMessage.Watched settlement(String heldId, HeldCallFacts facts, boolean child) {
    HeldCallProtocol.Watched now = Settlements.of(heldId, facts, child);
    return new CallMessage.Watched(
        now.heldId(), now.child(), now.absent(), now.state(), now.detail(), now.upstream());
  }
}
