package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;

/** What services that post attestations are answered: the bodies of the API's own attestations. */
public final class PostedReplies {

  private PostedReplies() {}

  /** The answer by what became of an attestation. */
  public static IncomingReply of(String heldId, String attestationId, VoteOutcome outcome) {
    String why = outcome.reason();
    return switch (outcome.disposition()) {
      case ACCEPTED ->
          IncomingReply.json(202, body("accepted-for-verification", why, heldId, attestationId));
      case DUPLICATE -> IncomingReply.json(200, body("duplicate", why, heldId, attestationId));
      case STALE ->
          IncomingReply.refused(RefusalKind.STALE, why, body("stale", why, heldId, attestationId));
      case INVALID ->
          IncomingReply.refused(
              RefusalKind.INVALID, why, body("invalid", why, heldId, attestationId));
      case UNAVAILABLE ->
          IncomingReply.refused(
              RefusalKind.UNAVAILABLE, why, body("unavailable", why, heldId, attestationId));
    };
  }

  /** The answer to what is refused before the kernel sees it. */
  public static IncomingReply refusal(RefusalKind kind, String reason) {
    return IncomingReply.refused(kind, reason, body("invalid", reason));
  }

  /** The same, where there is nothing to put on record. */
  public static IncomingWitness refused(RefusalKind kind, String reason) {
    return new IncomingWitness.Answered(refusal(kind, reason));
  }

  private static ObjectNode body(
      String disposition, String reason, String heldId, String attestationId) {
    return body(disposition, reason).put("held_id", heldId).put("attestation_id", attestationId);
  }

  private static ObjectNode body(String disposition, String reason) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("disposition", disposition)
        .put("reason", reason);
  }
}
