package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;

/** What services that post attestations are answered: the bodies of the API's own attestations. */
public final class PostedReplies {

  private PostedReplies() {}

  /** The answer by what became of an attestation. */
  public static IncomingReply of(String heldId, String attestationId, VoteOutcome outcome) {
    String disposition =
        switch (outcome.disposition()) {
          case ACCEPTED -> "accepted-for-verification";
          case DUPLICATE -> "duplicate";
          case STALE -> "stale";
          case INVALID -> "invalid";
          case UNAVAILABLE -> "unavailable";
        };
    int status =
        switch (outcome.disposition()) {
          case ACCEPTED -> 202;
          case DUPLICATE -> 200;
          case STALE -> 409;
          case INVALID -> 422;
          case UNAVAILABLE -> 429;
        };
    return IncomingReply.json(
        status,
        body(disposition, outcome.reason())
            .put("held_id", heldId)
            .put("attestation_id", attestationId));
  }

  /** The answer to what is refused before the kernel sees it. */
  public static IncomingReply refusal(int status, String reason) {
    return IncomingReply.json(status, body("invalid", reason));
  }

  /** The same, where there is nothing to put on record. */
  public static IncomingWitness refused(int status, String reason) {
    return new IncomingWitness.Answered(refusal(status, reason));
  }

  private static ObjectNode body(String disposition, String reason) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("disposition", disposition)
        .put("reason", reason);
  }
}
