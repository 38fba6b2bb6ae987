package dev.heldcall.witness.signed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;

/** What is posted to the service, as JSON. */
final class StatementRequest {

  private StatementRequest() {}

  /**
   * Asks for a statement, or reminds of one.
   *
   * @param type {@code request} or {@code remind}
   * @param provider whom the answer is posted to
   */
  static ObjectNode of(String type, String provider, WitnessRequest request) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("type", type);
    node.put("request_id", request.requestId());
    node.put("held_id", request.heldId());
    node.put("generation", request.generation());
    node.put("call_digest", request.callDigest().value());
    node.put("contract_digest", request.contractDigest().value());
    node.put("witness_class", request.witnessClass());
    node.put("boundary", request.boundary().wireName());
    node.put("tool", request.tool());
    node.put("args_digest", request.argsDigest().value());
    node.set("args", request.args());
    node.put("disclosure", request.disclosure().wireName());
    request.leftOut().forEach(node.putArray("left_out")::add);
    PrincipalRef proposer = request.proposer();
    node.putObject("proposer")
        .put("org", proposer.org())
        .put("project", proposer.project())
        .put("id", proposer.id());
    node.put("created_at", request.createdAt().toString());
    node.put("expires_at", request.expiresAt() == null ? null : request.expiresAt().toString());
    node.put("link", request.link());
    node.put("answer_to", "/witnesses/" + provider + "/incoming");
    return node;
  }

  /** Takes a request back. */
  static ObjectNode of(WitnessWithdrawal withdrawal) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "withdraw")
        .put("request_id", withdrawal.requestId())
        .put("held_id", withdrawal.heldId())
        .put("tool", withdrawal.tool())
        .put("reason", withdrawal.reason());
  }
}
