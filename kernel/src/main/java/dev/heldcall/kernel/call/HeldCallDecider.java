package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Principal;

/**
 * Says what a command leads to: events and an answer. It changes nothing, and every guard stands
 * here, also for what the reconciler found enabled.
 */
public final class HeldCallDecider {

  private HeldCallDecider() {}

  /** Decides on one command by the facts as they stand. */
  public static Decision decide(HeldCallFacts facts, HeldCallCommand command, CallContext context) {
    Draft draft = new Draft(facts, context, actor(command));
    if (!facts.proposed()
        && !(command instanceof HeldCallCommand.ProposeCall)
        && !(command instanceof HeldCallCommand.AnnounceChild)) {
      return draft.refuse(Problem.NOT_FOUND, "no such call");
    }
    if (!(command instanceof HeldCallCommand.KernelCommand)) {
      // What is asked at or after expires_at is asked of an expired call, swept or not (rule 11).
      EndingDecider.expire(draft);
    }
    return switch (command) {
      case HeldCallCommand.ProposeCall propose -> ProposalDecider.propose(draft, propose);
      case HeldCallCommand.Attest attest -> EvidenceDecider.attest(draft, attest);
      case HeldCallCommand.RefuseAttestation refuse -> EvidenceDecider.refuseUnread(draft, refuse);
      case HeldCallCommand.RevokeAttestation revoke -> EvidenceDecider.revoke(draft, revoke);
      case HeldCallCommand.CancelCall cancel -> EndingDecider.cancel(draft, cancel);
      case HeldCallCommand.EditCall edit -> ProposalDecider.edit(draft, edit);
      case HeldCallCommand.TakeLease take -> LeaseDecider.take(draft, take);
      case HeldCallCommand.ReportOutcome report -> EffectDecider.reportOutcome(draft, report);
      case HeldCallCommand.ResolveOutcome resolve -> ResolutionDecider.resolve(draft, resolve);
      case HeldCallCommand.AcknowledgeDelivery ack -> EndingDecider.acknowledge(draft, ack);
      case HeldCallCommand.AnnounceChild child -> WaitingDecider.announceChild(draft, child);
      case HeldCallCommand.EndWithParent end -> WaitingDecider.endWithParent(draft, end);
      case HeldCallCommand.Tick tick -> draft.stands();
      case HeldCallCommand.ReportDispatch report -> EffectDecider.reportDispatch(draft, report);
      case HeldCallCommand.ReportReadBack report -> EffectDecider.reportReadBack(draft, report);
      case HeldCallCommand.ReportDependency report ->
          WaitingDecider.reportDependency(draft, report);
      case HeldCallCommand.KernelCommand own -> decideOwn(draft, own);
    };
  }

  private static Decision decideOwn(Draft draft, HeldCallCommand.KernelCommand command) {
    return switch (command) {
      case HeldCallCommand.ExpireCall expire -> EndingDecider.expire(draft);
      case HeldCallCommand.ExpireAttestation expire ->
          EndingDecider.expireAttestation(draft, expire.attestationId());
      case HeldCallCommand.RevokeWithKey revoke ->
          EndingDecider.revokeWithKey(draft, revoke.attestationId());
      case HeldCallCommand.OpenFallback open -> EndingDecider.openFallback(draft, open.index());
      case HeldCallCommand.RefuseRefuted refuse -> EndingDecider.refuseRefuted(draft);
      case HeldCallCommand.RefuseDependent refuse -> WaitingDecider.refuseDependent(draft);
      case HeldCallCommand.HonourCancelWish honour -> EndingDecider.honourCancelWish(draft);
      case HeldCallCommand.GiveUp giveUp -> LeaseDecider.giveUp(draft);
      case HeldCallCommand.DeclareUnknown declare -> EffectDecider.declareUnknown(draft, declare);
      case HeldCallCommand.RuleAgain again -> {
        PolicyInForce policy = draft.freshPolicy();
        if (policy != null && draft.facts().undecided()) {
          Readjudicating.ruleAgain(draft, policy);
        }
        yield draft.stands();
      }
      case HeldCallCommand.GrantLease grant -> LeaseDecider.grant(draft);
    };
  }

  private static String actor(HeldCallCommand command) {
    Principal by =
        switch (command) {
          case HeldCallCommand.ProposeCall it -> it.proposer();
          case HeldCallCommand.Attest it -> it.witness();
          case HeldCallCommand.RefuseAttestation it -> it.witness();
          case HeldCallCommand.RevokeAttestation it -> it.by();
          case HeldCallCommand.CancelCall it -> it.by();
          case HeldCallCommand.EditCall it -> it.by();
          case HeldCallCommand.TakeLease it -> it.by();
          case HeldCallCommand.ReportOutcome it -> it.by();
          case HeldCallCommand.ResolveOutcome it -> it.by();
          case HeldCallCommand.AcknowledgeDelivery it -> it.by();
          case HeldCallCommand.AnnounceChild it -> null;
          case HeldCallCommand.EndWithParent it -> null;
          case HeldCallCommand.Tick it -> null;
          case HeldCallCommand.ReportDispatch it -> null;
          case HeldCallCommand.ReportReadBack it -> null;
          case HeldCallCommand.ReportDependency it -> null;
          case HeldCallCommand.KernelCommand it -> null;
        };
    return by == null ? EventMeta.KERNEL : by.id();
  }
}
