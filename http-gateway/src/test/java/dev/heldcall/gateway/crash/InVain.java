package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.crash.Client.Got;
import dev.heldcall.gateway.crash.Client.NodeGoneException;
import dev.heldcall.gateway.crash.Ledger.Call;

/**
 * What a strand does in vain, so that the product's refusals are told too.
 *
 * @param teller who does it
 */
record InVain(Teller teller) {

  /** Proposes what must be refused before it is a call. */
  void propose(ObjectNode proposal, String problem) throws NodeGoneException {
    Got got = teller.client().post("agent", "/tool-calls", proposal).is(422);
    if (!got.text("/type").endsWith(problem)) {
      throw new AssertionError("refused as " + got.body() + " and not as " + problem);
    }
  }

  /** Sends what is no request; it is answered all the same. */
  void malformed() throws NodeGoneException {
    String line = teller.client().raw("GET /health/live HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n");
    if (!line.startsWith("HTTP/1.1 400")) {
      throw new AssertionError("what is no request is answered " + line);
    }
  }

  /** Edits while the database does not answer: nothing is done, and that is said. */
  void edit(Call call) throws NodeGoneException {
    ObjectNode edit = Json.of("generation", 1, "args", Json.of("rule", "human", "n", 3));
    var _ = teller.client().postOnce("agent", Teller.path(call) + "/edit", edit).is(503, 409);
  }

  /** Reads the policy while the database does not answer: that is no failure of the server. */
  void readPolicy() throws NodeGoneException {
    var _ = teller.client().getOnce("owner", "/policies/acme").is(503);
  }

  /** An attestation to something that never stood. */
  void attestToNothing(Call call, JsonNode shown) throws NodeGoneException {
    ObjectNode wrong = teller.bound(shown, "wrong", "approve").deepCopy();
    wrong.put("call_digest", "sha256:" + "0".repeat(64));
    var _ = teller.attest(call, "alice", wrong).is(409);
  }
}
