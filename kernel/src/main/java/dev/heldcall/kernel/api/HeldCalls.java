package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The kernel, as the gateway sees it. Every method checks that the principal may do what it asks:
 * wrong role or somebody else's resource is {@code forbidden}, a resource of another organization
 * is {@code not-found}. An answer is given only after what it says is in the journal. A stage fails
 * only if the outcome is not known (a time-out or a lost node): the caller may ask again.
 */
public interface HeldCalls {

  /**
   * Proposes a call, or finds out how it stands.
   *
   * @param wait how long to wait for its conclusion, at most 60 s; an allowed call that runs is
   *     waited for in any case
   * @param idempotencyKey the Idempotency-Key header, or null
   */
  CompletionStage<Reply<CallView>> propose(
      Principal proposer, Proposal proposal, Duration wait, @Nullable String idempotencyKey);

  /**
   * Reads a call.
   *
   * @param wait how long to wait until the sequence number is over {@code since}, at most 60 s
   * @param since a sequence number, or null for not waiting
   */
  CompletionStage<Reply<CallView>> read(
      Principal viewer, String heldId, Duration wait, @Nullable Long since);

  /**
   * Reads a call's journal.
   *
   * @param after the last sequence number seen, 0 for the start
   * @param limit 1 to 1000
   */
  CompletionStage<Reply<HistoryPage>> history(
      Principal viewer, String heldId, long after, int limit);

  /**
   * Hands a message to a witness provider that somebody posted to it. Nobody is authenticated here:
   * the provider checks who sent it, and what it takes from it is judged like everybody's word.
   *
   * @param provider the provider's name
   * @return what the provider answers; refused if there is none of the name
   */
  CompletionStage<Reply<IncomingReply>> incoming(String provider, IncomingMessage message);

  /** Takes an attestation. */
  CompletionStage<Reply<AttestationReceipt>> attest(
      Principal witness, String heldId, Attestation attestation);

  /**
   * Puts on record that an attestation could not be read; always refused, as {@code invalid} unless
   * the call or the witness's role says otherwise.
   *
   * @param attestationId the id, if that could be read
   * @param reason what was wrong, where, and what was expected
   * @param errors the places
   */
  CompletionStage<Reply<AttestationReceipt>> refuseAttestation(
      Principal witness,
      String heldId,
      @Nullable String attestationId,
      String reason,
      List<dev.heldcall.kernel.call.Rejection.FieldError> errors);

  /** Takes an attestation back. */
  CompletionStage<Reply<AttestationReceipt>> revoke(
      Principal by, String heldId, String attestationId, @Nullable String reason);

  /** Cancels a call that was not dispatched; else puts the wish on record and refuses. */
  CompletionStage<Reply<CallView>> cancel(Principal by, String heldId, @Nullable String reason);

  /** Makes the next generation. Null leaves the tool or the arguments as they are. */
  CompletionStage<Reply<CallView>> edit(
      Principal by,
      String heldId,
      int generation,
      @Nullable String tool,
      @Nullable JsonNode args,
      Duration wait);

  /**
   * Takes the lease of a call whose tool is run by its client.
   *
   * @param worker the worker's own name, or null
   * @param requestKey the Idempotency-Key header, or null: the same key gets the same lease
   */
  CompletionStage<Reply<LeaseGrant>> lease(
      Principal by,
      String heldId,
      int generation,
      @Nullable String worker,
      @Nullable String requestKey);

  /** Reports the outcome under a client lease. */
  CompletionStage<Reply<CallView>> outcome(
      Principal by, String heldId, String leaseId, boolean succeeded, JsonNode content);

  /** Closes an unknown outcome. */
  CompletionStage<Reply<CallView>> resolve(
      Principal by, String heldId, boolean effect, @Nullable JsonNode content, JsonNode evidence);

  /** Lists what the principal may see, oldest deadline first. */
  CompletionStage<Reply<InboxPage>> inbox(Principal viewer, InboxQuery query);

  /**
   * Takes the oldest witness requests of a class that nobody has taken and that the witness may
   * attest. A claim binds nobody and decides nothing.
   *
   * @param limit 1 to 100
   * @param lease after which the request is handed out again unless it was attested, 1 s to 1 h
   * @param wait how long to wait for one, at most 60 s
   */
  CompletionStage<Reply<List<ClaimedRequest>>> claim(
      Principal witness, String witnessClass, int limit, Duration lease, Duration wait);

  /** Gives a claim back; one that has ended stays so. */
  CompletionStage<Reply<String>> release(Principal by, String claimId);

  /** Shows one of the principal's own sessions. */
  CompletionStage<Reply<SessionView>> session(Principal owner, String sessionId);

  /**
   * Lists a session's deliveries.
   *
   * @param after the last seq seen, 0 for the start
   * @param wait how long to wait for one, at most 60 s
   * @param limit 1 to 500
   */
  CompletionStage<Reply<List<DeliveryItem>>> deliveries(
      Principal owner, String sessionId, long after, Duration wait, int limit);

  /** Acknowledges a delivery. */
  CompletionStage<Reply<CallView>> acknowledge(
      Principal owner, String sessionId, String deliveryId);

  /** Reads an organization's policy. */
  CompletionStage<Reply<PolicyState>> policy(Principal viewer, String org);

  /** Proposes to replace an organization's document: itself a governed call. */
  CompletionStage<Reply<CallView>> proposePolicy(
      Principal owner,
      String org,
      String callId,
      long baseEpoch,
      JsonNode document,
      Duration wait,
      @Nullable String idempotencyKey);

  /** The public keys that permits are signed with, as a JWK set. */
  JsonNode permitKeys();

  /** Whether this node takes work. */
  CompletionStage<NodeHealth> health();

  /**
   * Whether what this node says can be relied on: it hears its cluster, and has not just stood
   * still. Asked after something was answered, and before it is told: without contact it may be of
   * calls that others have taken over.
   */
  boolean inContact();

  /** The cluster's members. */
  List<ClusterMember> members();
}
