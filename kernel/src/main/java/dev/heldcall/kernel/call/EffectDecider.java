package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallCommand.DeclareUnknown;
import dev.heldcall.kernel.call.HeldCallCommand.ReportDispatch;
import dev.heldcall.kernel.call.HeldCallCommand.ReportOutcome;
import dev.heldcall.kernel.call.HeldCallCommand.ReportReadBack;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Decides on what is known of a dispatch: outcome, no effect, or unknown. */
final class EffectDecider {

  private EffectDecider() {}

  static Decision reportDispatch(Draft draft, ReportDispatch command) {
    LeaseRecord known = draft.facts().lease(command.leaseId());
    if (known == null) {
      return draft.stands();
    }
    boolean live = known.state() == LeaseState.DISPATCHED || known.state() == LeaseState.UNKNOWN;
    switch (command.report()) {
      case DispatchReport.NoEffect noEffect -> {
        if (live) {
          draft.addByKernel(
              meta ->
                  new HeldCallEvent.LeaseEndedWithoutEffect(
                      meta, command.leaseId(), noEffect.proof()));
        }
      }
      case DispatchReport.Unknown unknown -> {
        becomeUnknown(draft, known, unknown.reason());
      }
      case DispatchReport.Answered answered -> {
        if (live) {
          answered(
              draft,
              known,
              answered.succeeded(),
              new Content(
                  answered.content(),
                  answered.contentDigest(),
                  answered.contentBytes(),
                  answered.truncated()),
              OutcomeSource.ANSWER,
              answered.detail());
        } else {
          lateEffect(draft, known, answered.detail());
        }
      }
    }
    return draft.stands();
  }

  /**
   * Records what came of a live lease, once. Where another dispatch of the same key is not settled
   * either, only a success closes the call (rule 3).
   */
  private static void answered(
      Draft draft,
      LeaseRecord known,
      boolean succeeded,
      Content content,
      OutcomeSource source,
      String detail) {
    if (draft.facts().outcome() != null) {
      return;
    }
    if (succeeded || alone(draft.facts(), known)) {
      outcome(draft, known.lease().leaseId(), succeeded, content, source, detail);
    } else {
      becomeUnknown(draft, known, detail + " to one of several dispatches settles none of them");
    }
  }

  private static boolean alone(HeldCallFacts facts, LeaseRecord known) {
    return facts.leases().stream()
        .filter(each -> !each.equals(known))
        .noneMatch(
            each -> each.state() == LeaseState.DISPATCHED || each.state() == LeaseState.UNKNOWN);
  }

  private static void becomeUnknown(Draft draft, LeaseRecord known, String reason) {
    if (known.state() == LeaseState.DISPATCHED && draft.facts().outcome() == null) {
      draft.addByKernel(
          meta -> new HeldCallEvent.OutcomeBecameUnknown(meta, known.lease().leaseId(), reason));
    }
  }

  private static void lateEffect(Draft draft, LeaseRecord known, String detail) {
    if (known.state() == LeaseState.NO_EFFECT && !draft.facts().lateEffect()) {
      draft.addByKernel(
          meta -> new HeldCallEvent.LateEffectReported(meta, known.lease().leaseId(), detail));
    }
  }

  static Decision declareUnknown(Draft draft, DeclareUnknown command) {
    LeaseRecord known = draft.facts().lease(command.leaseId());
    if (known != null && lost(known, draft)) {
      becomeUnknown(draft, known, command.reason());
    }
    return draft.stands();
  }

  private static boolean lost(LeaseRecord known, Draft draft) {
    return lost(known.lease(), draft.context(), draft.now());
  }

  /** Whether nobody is left who would report of the lease in time. */
  static boolean lost(Lease lease, CallContext context, Instant now) {
    if (lease.executor() == ExecutorKind.CLIENT) {
      return LeaseRules.overdue(lease, now);
    }
    return !context.running().contains(lease.leaseId())
        || !now.isBefore(lease.deadline().plusSeconds(1));
  }

  static Decision reportReadBack(Draft draft, ReportReadBack command) {
    LeaseRecord known = draft.facts().lease(command.leaseId());
    if (known == null || draft.facts().outcome() != null) {
      return draft.stands();
    }
    if (known.state() == LeaseState.NO_EFFECT
        && command.report() instanceof ReadBackReport.Effect) {
      lateEffect(draft, known, "the read-back shows the effect");
    }
    if (known.state() != LeaseState.UNKNOWN) {
      return draft.stands();
    }
    switch (command.report()) {
      case ReadBackReport.Effect effect ->
          outcome(
              draft,
              command.leaseId(),
              true,
              new Content(
                  effect.content(),
                  effect.contentDigest(),
                  effect.contentBytes(),
                  effect.truncated()),
              OutcomeSource.READ_BACK,
              "the read-back shows the effect");
      case ReadBackReport.NoEffect noEffect -> {
        for (LeaseRecord each : draft.facts().unknownLeases()) {
          if (LeaseRules.noEffectCounts(each.lease(), command.askedAt())) {
            draft.addByKernel(
                meta ->
                    new HeldCallEvent.LeaseEndedWithoutEffect(
                        meta, each.lease().leaseId(), "the read-back shows no effect"));
          }
        }
      }
      case ReadBackReport.CannotTell cannot -> Objects.requireNonNull(cannot);
    }
    return draft.stands();
  }

  static Decision reportOutcome(Draft draft, ReportOutcome command) {
    HeldCallFacts facts = draft.facts();
    Rejection missing = Access.toKnow(facts, command.by());
    if (missing != null) {
      return draft.refuse(missing);
    }
    LeaseRecord known = facts.lease(command.leaseId());
    if (known == null || known.lease().executor() != ExecutorKind.CLIENT) {
      return Access.isProposer(facts, command.by()) || command.by().has(Role.WORKER)
          ? draft.refuse(Problem.LEASE_LOST, "no client lease '" + command.leaseId() + "'")
          : draft.refuse(Problem.FORBIDDEN, "only the worker that holds the lease reports");
    }
    if (!known.lease().holder().equals(command.by().ref())) {
      return draft.refuse(Problem.FORBIDDEN, "another worker took this lease");
    }
    Content content = Content.of(command.content());
    return switch (known.state()) {
      case DISPATCHED, UNKNOWN, EFFECT -> {
        CallOutcome recorded = facts.outcome();
        if (recorded == null) {
          answered(
              draft,
              known,
              command.succeeded(),
              content,
              OutcomeSource.WORKER,
              "reported by " + command.by().id());
          yield draft.stands();
        }
        boolean same =
            recorded.succeeded() == command.succeeded()
                && recorded.contentDigest().equals(content.digest());
        yield same
            ? draft.stands()
            : draft.refuse(Problem.RESOLUTION_CONFLICT, "another outcome is on record");
      }
      case NO_EFFECT -> {
        lateEffect(draft, known, "reported by " + command.by().id());
        yield draft.refuse(
            Problem.LEASE_LOST, "the lease was proven to have had no effect; this is on record");
      }
    };
  }

  /** Writes the outcome and its admission down together. */
  static void outcome(
      Draft draft,
      String leaseId,
      boolean succeeded,
      Content content,
      OutcomeSource source,
      String detail) {
    draft.addByKernel(
        meta ->
            new HeldCallEvent.OutcomeRecorded(
                meta,
                leaseId,
                succeeded,
                content.digest(),
                content.bytes(),
                content.truncated(),
                source,
                detail));
    List<String> reasons =
        ResultAdmission.reasonsAgainst(
            draft.facts(),
            draft.context().policy(),
            succeeded,
            content.tree(),
            content.bytes(),
            content.truncated());
    if (reasons.isEmpty()) {
      draft.addByKernel(meta -> new HeldCallEvent.ResultAdmitted(meta, content.tree()));
    } else {
      draft.addByKernel(meta -> new HeldCallEvent.ResultQuarantined(meta, content.tree(), reasons));
    }
  }
}
