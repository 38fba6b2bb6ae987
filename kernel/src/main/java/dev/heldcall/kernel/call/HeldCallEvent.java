package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a held call. A released event's meaning never changes: a change is a new version
 * and an upcaster in the codec.
 */
public sealed interface HeldCallEvent {

  /** Id, time and actor. */
  EventMeta meta();

  /** An agent proposed the call. */
  record CallProposed(EventMeta meta, CallSpec spec, Generation generation)
      implements HeldCallEvent {}

  /**
   * Policy ruled on a generation, for the first time or again.
   *
   * @param expiresAt from when on the call has expired, or null; the reducer never extends it
   * @param evidenceStands whether evidence given so far still counts
   */
  record CallRuled(
      EventMeta meta, Ruling ruling, @Nullable Instant expiresAt, boolean evidenceStands)
      implements HeldCallEvent {}

  /**
   * An attestation was verified and counts.
   *
   * @param signedBy the key that its signature was verified with, or null if it has none
   * @param onBehalfOf whom the witness acted for, or null: under distinct identities both are one
   */
  record AttestationAccepted(
      EventMeta meta,
      Attestation attestation,
      PrincipalRef witness,
      @Nullable SignatureKey signedBy,
      @Nullable PrincipalRef onBehalfOf)
      implements HeldCallEvent {}

  /**
   * An attestation was refused; it is on record and inert.
   *
   * @param number its number among the call's refusals, from 1
   * @param attestationId the id it claimed, or null if it had no readable one
   * @param disposition stale, invalid, conflict or forbidden
   */
  record AttestationRefused(
      EventMeta meta,
      int number,
      @Nullable String attestationId,
      PrincipalRef witness,
      String disposition,
      String reason)
      implements HeldCallEvent {}

  /** A witness or an operator took an attestation back. */
  record AttestationRevoked(
      EventMeta meta, String attestationId, PrincipalRef by, @Nullable String reason)
      implements HeldCallEvent {}

  /** Somebody wished to take an attestation back when it was too late; inert. */
  record RevocationCameLate(
      EventMeta meta, String attestationId, PrincipalRef by, @Nullable String reason)
      implements HeldCallEvent {}

  /** An attestation's time ran out. */
  record AttestationExpired(EventMeta meta, String attestationId) implements HeldCallEvent {}

  /** The key that an attestation was signed with was revoked, or left its owner's keys. */
  record AttestationKeyRevoked(EventMeta meta, String attestationId, String keyId)
      implements HeldCallEvent {}

  /** A fallback's time has come: its second part counts too. */
  record FallbackOpened(EventMeta meta, int generation, int index) implements HeldCallEvent {}

  /** A new generation was made; everything of the older ones is inert. */
  record CallEdited(EventMeta meta, Generation generation) implements HeldCallEvent {}

  /** The call was cancelled before dispatch. */
  record CallCancelled(EventMeta meta, String by, @Nullable String reason)
      implements HeldCallEvent {}

  /** Somebody wished to cancel after dispatch; it changes nothing about the effect. */
  record CancelRequested(EventMeta meta, String by, @Nullable String reason)
      implements HeldCallEvent {}

  /** The call's time ran out before dispatch. */
  record CallExpired(EventMeta meta) implements HeldCallEvent {}

  /** Policy, a witness or a dependency refused the call. */
  record CallDenied(EventMeta meta, String by, @Nullable String reason) implements HeldCallEvent {}

  /** Permission for one dispatch: nothing is sent before this is in the journal. */
  record LeaseGranted(EventMeta meta, Lease lease) implements HeldCallEvent {}

  /** Proof that a lease's dispatch had no effect. */
  record LeaseEndedWithoutEffect(EventMeta meta, String leaseId, String proof)
      implements HeldCallEvent {}

  /** A dispatch came to no recorded outcome. */
  record OutcomeBecameUnknown(EventMeta meta, String leaseId, String reason)
      implements HeldCallEvent {}

  /**
   * The outcome of the effect, without its content.
   *
   * @param contentDigest digest of the whole content
   * @param contentBytes size of the whole content in bytes
   * @param truncated whether the content was cut
   */
  record OutcomeRecorded(
      EventMeta meta,
      String leaseId,
      boolean succeeded,
      Digest contentDigest,
      long contentBytes,
      boolean truncated,
      OutcomeSource source,
      String detail)
      implements HeldCallEvent {}

  /** The result may be seen. */
  record ResultAdmitted(EventMeta meta, JsonNode content) implements HeldCallEvent {}

  /** The result may not be seen; its content is kept here and shown nowhere. */
  record ResultQuarantined(EventMeta meta, JsonNode quarantinedContent, List<String> reasons)
      implements HeldCallEvent {
    public ResultQuarantined {
      reasons = List.copyOf(reasons);
    }
  }

  /** An effect was reported under a lease that counted as without effect; it alarms (rule 5). */
  record LateEffectReported(EventMeta meta, String leaseId, String detail)
      implements HeldCallEvent {}

  /** An operator closed an unknown outcome. */
  record OutcomeResolved(EventMeta meta, Resolution resolution) implements HeldCallEvent {}

  /** The session has its outcome: delivered and acknowledged at once. */
  record DeliveryAcknowledged(EventMeta meta, String deliveryId) implements HeldCallEvent {}

  /** A call that this one waits for has come to something final. */
  record DependencySettled(EventMeta meta, String heldId, DependencyState state, String detail)
      implements HeldCallEvent {}

  /**
   * A call that this one depends on is something else than when it was last seen, if it ever was.
   */
  record UpstreamSeen(EventMeta meta, String heldId, Upstream upstream) implements HeldCallEvent {}

  /** A nested call was proposed: this one waits until it settles. */
  record ChildAnnounced(EventMeta meta, String heldId) implements HeldCallEvent {}

  /** A nested call has settled. */
  record ChildSettled(EventMeta meta, String heldId, String detail) implements HeldCallEvent {}
}
