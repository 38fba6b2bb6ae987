package dev.heldcall.gateway.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.cli.demo.DemoClient.Answer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What the demo's people send. */
final class DemoBodies {

  private DemoBodies() {}

  /** A transfer from acct-1 to acct-2, in hundredths of a euro. */
  static ObjectNode proposal(String session, int amountMinor) {
    ObjectNode body = DemoClient.JSON.createObjectNode();
    body.put("session_id", session).put("turn_id", "turn-1").put("call_id", "call-1");
    body.put("tool", "money_transfer");
    body.putObject("args")
        .put("from", "acct-1")
        .put("to", "acct-2")
        .put("amount_minor", amountMinor)
        .put("currency", "EUR");
    return body;
  }

  /** A person's approval of exactly the call that {@code held} shows. */
  static ObjectNode approval(String id, Answer held) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return DemoClient.JSON
        .createObjectNode()
        .put("attestation_id", id)
        .put("generation", held.body().path("generation").asInt())
        .put("call_digest", held.text("/call_digest"))
        .put("contract_digest", held.text("/contract/digest"))
        .put("witness_class", "human")
        .put("decision", "approve")
        .put("reason", "checked the invoice")
        .put("issued_at", now.toString())
        .put("expires_at", now.plusSeconds(300).toString());
  }
}
