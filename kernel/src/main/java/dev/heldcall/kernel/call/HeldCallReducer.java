package dev.heldcall.kernel.call;

import dev.heldcall.kernel.call.HeldCallEvent.AttestationAccepted;
import dev.heldcall.kernel.call.HeldCallEvent.AttestationExpired;
import dev.heldcall.kernel.call.HeldCallEvent.AttestationKeyRevoked;
import dev.heldcall.kernel.call.HeldCallEvent.AttestationRefused;
import dev.heldcall.kernel.call.HeldCallEvent.AttestationRevoked;
import dev.heldcall.kernel.call.HeldCallEvent.CallCancelled;
import dev.heldcall.kernel.call.HeldCallEvent.CallDenied;
import dev.heldcall.kernel.call.HeldCallEvent.CallEdited;
import dev.heldcall.kernel.call.HeldCallEvent.CallExpired;
import dev.heldcall.kernel.call.HeldCallEvent.CallProposed;
import dev.heldcall.kernel.call.HeldCallEvent.CallRuled;
import dev.heldcall.kernel.call.HeldCallEvent.CancelRequested;
import dev.heldcall.kernel.call.HeldCallEvent.ChildAnnounced;
import dev.heldcall.kernel.call.HeldCallEvent.ChildSettled;
import dev.heldcall.kernel.call.HeldCallEvent.DeliveryAcknowledged;
import dev.heldcall.kernel.call.HeldCallEvent.DependencySettled;
import dev.heldcall.kernel.call.HeldCallEvent.FallbackOpened;
import dev.heldcall.kernel.call.HeldCallEvent.LateEffectReported;
import dev.heldcall.kernel.call.HeldCallEvent.LeaseEndedWithoutEffect;
import dev.heldcall.kernel.call.HeldCallEvent.LeaseGranted;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeBecameUnknown;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeRecorded;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeResolved;
import dev.heldcall.kernel.call.HeldCallEvent.ResultAdmitted;
import dev.heldcall.kernel.call.HeldCallEvent.ResultQuarantined;
import dev.heldcall.kernel.call.HeldCallEvent.RevocationCameLate;
import dev.heldcall.kernel.call.HeldCallEvent.UpstreamSeen;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes facts from events: the only place that does. It is total, deterministic, silent and
 * idempotent: an event told twice, of an older generation, or under a lost lease changes nothing
 * that counts, and facts that commute give one state in any order.
 *
 * <p>It is one file over its usual size because one switch shows at a glance what each event means.
 */
public final class HeldCallReducer {

  private HeldCallReducer() {}

  /** The facts after one more event. */
  public static HeldCallFacts reduce(HeldCallFacts facts, HeldCallEvent event) {
    FactsEditor next = new FactsEditor(facts, event.meta());
    switch (event) {
      case CallProposed proposed -> onProposed(next, proposed);
      case CallRuled ruled -> onRuled(next, ruled);
      case AttestationAccepted accepted -> onAccepted(next, accepted);
      case AttestationRefused refused -> onRefused(next, refused);
      case AttestationRevoked revoked -> onRevoked(next, revoked);
      case RevocationCameLate late -> Objects.requireNonNull(late);
      case AttestationExpired expired -> onAttestationExpired(next, expired);
      case AttestationKeyRevoked revoked -> onKeyRevoked(next, revoked);
      case FallbackOpened opened -> onFallbackOpened(next, opened);
      case CallEdited edited -> onEdited(next, edited);
      case CallCancelled cancelled ->
          end(next, Lifecycle.CANCELLED, cancelled.by(), cancelled.reason(), cancelled.meta().at());
      case CancelRequested wish -> onCancelRequested(next, wish);
      case CallExpired expired ->
          end(next, Lifecycle.EXPIRED, "clock", "the call's time ran out", expired.meta().at());
      case CallDenied denied ->
          end(next, Lifecycle.DENIED, denied.by(), denied.reason(), denied.meta().at());
      case LeaseGranted granted -> onLeaseGranted(next, granted);
      case LeaseEndedWithoutEffect ended ->
          onLease(next, ended.leaseId(), LeaseState.NO_EFFECT, ended.proof());
      case OutcomeBecameUnknown unknown ->
          onLease(next, unknown.leaseId(), LeaseState.UNKNOWN, unknown.reason());
      case OutcomeRecorded recorded -> onOutcome(next, recorded);
      case ResultAdmitted admitted -> onAdmitted(next, admitted);
      case ResultQuarantined quarantined -> onQuarantined(next, quarantined);
      case LateEffectReported late -> next.lateEffect = true;
      case OutcomeResolved resolved -> {
        if (next.resolution == null) {
          next.resolution = resolved.resolution();
        }
      }
      case DeliveryAcknowledged acknowledged -> next.delivery = Delivery.ACKNOWLEDGED;
      case DependencySettled settled -> onDependency(next, settled);
      case UpstreamSeen seen -> onUpstream(next, seen);
      case ChildAnnounced announced ->
          next.children.putIfAbsent(announced.heldId(), announced.meta().at());
      case ChildSettled settled -> next.settledChildren.add(settled.heldId());
    }
    return next.build();
  }

  /** The facts after all of them, in order. */
  public static HeldCallFacts reduceAll(HeldCallFacts facts, List<? extends HeldCallEvent> events) {
    HeldCallFacts result = facts;
    for (HeldCallEvent event : events) {
      result = reduce(result, event);
    }
    return result;
  }

  private static void onProposed(FactsEditor next, CallProposed event) {
    if (next.spec != null) {
      return;
    }
    next.spec = event.spec();
    next.generation = event.generation();
    event
        .spec()
        .dependsOn()
        .forEach(id -> next.dependencies.putIfAbsent(id, DependencyState.PENDING));
  }

  private static void onRuled(FactsEditor next, CallRuled event) {
    Ruling ruling = event.ruling();
    Generation generation = next.generation;
    if (next.told || generation == null || ruling.generation() != generation.number()) {
      return;
    }
    boolean otherContract =
        next.ruling != null
            && next.ruling.generation() == ruling.generation()
            && !Objects.equals(next.ruling.contractDigest(), ruling.contractDigest());
    if (otherContract || !event.evidenceStands()) {
      next.openFallbacks.clear();
      boolean any = next.ruling != null && next.ruling.generation() == ruling.generation();
      next.superseded = next.superseded || any;
      makeStale(next, "policy, contract or tool changed");
    }
    next.ruling = ruling;
    if (ruling.verdict() == VerdictKind.REQUIRE_WITNESS && next.holdStarted == null) {
      next.holdStarted = event.meta().at();
    }
    next.expiresAt = earlier(next.expiresAt, event.expiresAt());
  }

  private static void onAccepted(FactsEditor next, AttestationAccepted event) {
    next.evidence.putIfAbsent(
        event.attestation().attestationId(),
        new Evidence(
            event.attestation(),
            event.witness(),
            event.signedBy(),
            event.meta().at(),
            worthOnArrival(next, event),
            null,
            event.onBehalfOf()));
  }

  private static void onRefused(FactsEditor next, AttestationRefused event) {
    next.refusals = Math.max(next.refusals, event.number());
    next.newestRefusals.putIfAbsent(
        event.number(),
        new Refusal(
            event.attestationId(),
            event.witness(),
            event.disposition(),
            event.reason(),
            event.meta().at()));
    while (next.newestRefusals.size() > Refusal.KEPT) {
      next.newestRefusals.pollFirstEntry();
    }
  }

  private static EvidenceState worthOnArrival(FactsEditor next, AttestationAccepted event) {
    Generation generation = next.generation;
    boolean current = generation != null && event.attestation().generation() == generation.number();
    return current ? EvidenceState.VALID : EvidenceState.STALE;
  }

  private static void onRevoked(FactsEditor next, AttestationRevoked event) {
    String why = event.reason() == null ? "revoked by " + event.by().id() : event.reason();
    next.evidence.computeIfPresent(
        event.attestationId(), (id, known) -> known.as(EvidenceState.REVOKED, why));
  }

  private static void onAttestationExpired(FactsEditor next, AttestationExpired event) {
    next.evidence.computeIfPresent(
        event.attestationId(),
        (id, known) ->
            known.state() == EvidenceState.VALID
                ? known.as(EvidenceState.EXPIRED, "its time ran out")
                : known);
  }

  private static void onKeyRevoked(FactsEditor next, AttestationKeyRevoked event) {
    next.evidence.computeIfPresent(
        event.attestationId(),
        (id, known) ->
            known.state() == EvidenceState.VALID
                ? known.as(EvidenceState.REVOKED, "its key was revoked: " + event.keyId())
                : known);
  }

  private static void makeStale(FactsEditor next, String why) {
    next.evidence.replaceAll(
        (id, known) ->
            known.state() == EvidenceState.VALID ? known.as(EvidenceState.STALE, why) : known);
  }

  private static void onFallbackOpened(FactsEditor next, FallbackOpened event) {
    Generation generation = next.generation;
    if (!next.told && generation != null && generation.number() == event.generation()) {
      next.openFallbacks.add(event.index());
    }
  }

  private static void onEdited(FactsEditor next, CallEdited event) {
    Generation current = next.generation;
    if (current == null || event.generation().number() <= current.number()) {
      return;
    }
    next.generation = event.generation();
    next.ruling = null;
    next.superseded = false;
    next.holdStarted = null;
    next.openFallbacks.clear();
    makeStale(next, "generation " + event.generation().number() + " replaced it");
  }

  private static void onCancelRequested(FactsEditor next, CancelRequested event) {
    if (next.cancelWish == null) {
      next.cancelWish = new CallEnd(event.by(), event.reason(), event.meta().at());
    }
  }

  private static void end(
      FactsEditor next, Lifecycle lifecycle, String by, @Nullable String reason, Instant at) {
    if (next.lifecycle == Lifecycle.OPEN) {
      next.lifecycle = lifecycle;
      next.end = new CallEnd(by, reason, at);
    }
  }

  private static void onLeaseGranted(FactsEditor next, LeaseGranted event) {
    String id = event.lease().leaseId();
    if (next.leases.stream().noneMatch(each -> each.lease().leaseId().equals(id))) {
      next.leases.add(new LeaseRecord(event.lease(), LeaseState.DISPATCHED, null));
    }
  }

  private static void onLease(FactsEditor next, String leaseId, LeaseState state, String why) {
    next.changeLease(
        leaseId,
        known ->
            switch (known.state()) {
              case DISPATCHED, UNKNOWN -> known.as(state, why);
              case NO_EFFECT, EFFECT -> known;
            });
  }

  private static void onOutcome(FactsEditor next, OutcomeRecorded event) {
    next.changeLease(event.leaseId(), known -> known.as(LeaseState.EFFECT, event.detail()));
    if (next.outcome == null) {
      next.outcome =
          new CallOutcome(
              event.leaseId(),
              event.succeeded(),
              null,
              event.contentDigest(),
              event.truncated(),
              event.source(),
              event.meta().at(),
              List.of());
    }
  }

  private static void onAdmitted(FactsEditor next, ResultAdmitted event) {
    CallOutcome outcome = next.outcome;
    if (outcome == null || next.admission != Admission.PENDING) {
      return;
    }
    next.admission = Admission.ADMITTED;
    next.outcome =
        new CallOutcome(
            outcome.leaseId(),
            outcome.succeeded(),
            event.content(),
            outcome.contentDigest(),
            outcome.truncated(),
            outcome.source(),
            outcome.at(),
            List.of());
  }

  private static void onQuarantined(FactsEditor next, ResultQuarantined event) {
    CallOutcome outcome = next.outcome;
    if (outcome == null || next.admission != Admission.PENDING) {
      return;
    }
    next.admission = Admission.QUARANTINED;
    next.outcome =
        new CallOutcome(
            outcome.leaseId(),
            outcome.succeeded(),
            null,
            outcome.contentDigest(),
            outcome.truncated(),
            outcome.source(),
            outcome.at(),
            event.reasons());
  }

  private static void onDependency(FactsEditor next, DependencySettled event) {
    next.dependencies.computeIfPresent(
        event.heldId(), (id, known) -> known == DependencyState.PENDING ? event.state() : known);
  }

  /** Evidence given with another upstream in view is no evidence for this one. */
  private static void onUpstream(FactsEditor next, UpstreamSeen event) {
    if (next.told) {
      return;
    }
    Upstream before = next.upstream.put(event.heldId(), event.upstream());
    if (before != null && before.isOvertakenBy(event.upstream())) {
      boolean any = next.evidence.values().stream().anyMatch(e -> e.state() == EvidenceState.VALID);
      next.superseded = next.superseded || any;
      makeStale(next, "the call " + event.heldId() + ", which this one depends on, changed");
    }
  }

  private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null) {
      return b;
    }
    return b == null || a.isBefore(b) ? a : b;
  }
}
