package dev.heldcall.gateway.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Calls in every state, proposed to a node that is about to be stopped. */
final class CallsBeforeTheRestart {

  final Held waiting;
  final Held halfApproved;
  final Held delivered;
  final Held acknowledged;
  final Held expiring;
  final Held fallingBack;
  final Held first;
  final Held dependent;
  final Held readBack;
  final Held unknown;
  final Held leased;
  final String leaseId;
  final Held evidenceExpires;
  final Held cancelled;
  final Got policy;
  final JsonNode delivery;
  final JsonNode history;
  final ObjectNode keyed = ProductTest.proposal("act");
  final ProductNode node;
  final Caller agent;
  final Caller alice;
  final Caller bob;
  final Caller operator;

  CallsBeforeTheRestart(ProductNode node) {
    this.node = node;
    agent = node.as("acme-agent");
    alice = node.as("acme-alice");
    bob = node.as("acme-bob");
    operator = node.as("acme-operator");
    policy = node.as("acme-owner").get("/policies/acme").is(200);
    waiting = call("act", "rule", "human");
    halfApproved = call("act", "rule", "two");
    var _ = halfApproved.attest(alice, lasting(halfApproved, "a-1")).is(202);
    history = halfApproved.history();
    delivered = call("act", "say", "once");
    delivery = delivered.delivery();
    acknowledged = call("act");
    var _ = agent.post(ackOf(acknowledged)).is(200);
    expiring = ProductTest.propose(agent, withinAnHour("act", "rule", "human"));
    fallingBack = call("act", "rule", "slow-fallback");
    var _ = fallingBack.attest(alice, lasting(fallingBack, "a-1")).is(202);
    first = call("act", "rule", "human");
    ObjectNode second = ProductTest.proposalIn(first.sessionId(), "c-2", "act");
    second.putArray("depends_on").add(first.id());
    dependent = ProductTest.propose(agent, second);
    readBack = call("look", "do", "cut", "read_back", 503, "say", "found");
    unknown = call("act", "do", "cut");
    leased = call("by_client");
    leaseId = leased.lease(agent).is(200).text("/lease_id");
    evidenceExpires = call("by_client", "rule", "human");
    var _ = evidenceExpires.approve(alice).is(202);
    cancelled = call("act", "rule", "human");
    var _ = cancelled.cancel("before the restart").is(200);
    var _ = agent.post("/tool-calls", keyed, "Idempotency-Key", "kept").is(200);
  }

  private Held call(String tool, Object... args) {
    return ProductTest.propose(agent, ProductTest.proposal(tool, args));
  }

  private static ObjectNode withinAnHour(String tool, Object... args) {
    ObjectNode proposal = ProductTest.proposal(tool, args);
    proposal.set("preferences", Json.of("timeout_s", 3_600));
    return proposal;
  }

  /** An approval that outlives the restart's hours. */
  static ObjectNode lasting(Held held, String id) {
    Instant expires = Instant.now().plus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS);
    return held.attestation(id, "human", "approve").put("expires_at", expires.toString());
  }

  private static String ackOf(Held held) {
    return "/sessions/" + held.sessionId() + "/deliveries/" + held.id() + ".1/ack";
  }
}
