package dev.heldcall.kernel.route;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.Principal;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a route may ask of the kernel: what everybody may, and nothing more. */
public interface WitnessDesk {

  /** Hands an attestation to the verifier. */
  CompletionStage<VoteOutcome> attest(Principal witness, String heldId, Attestation attestation);

  /**
   * Proposes a governed call whose parent is the held call; again with the same ids is the same.
   *
   * @param callId tells it apart among the request's
   */
  CompletionStage<Proposed> propose(
      Principal proposer,
      HeldCallFacts parent,
      String requestId,
      String callId,
      String tool,
      JsonNode args);

  /**
   * Takes a proposed call back; one that ran or ended meanwhile stays as it is.
   *
   * @param heldId of a call that the proposer proposed
   */
  CompletionStage<Void> cancel(Principal proposer, String heldId, String reason);

  /** How a call stands. */
  CompletionStage<HeldCallFacts> facts(String heldId);

  /**
   * What came of a proposal.
   *
   * @param heldId the call, or null if there is none
   * @param refused why it was refused before there was a call, or null
   */
  record Proposed(@Nullable String heldId, @Nullable String refused) {}
}
