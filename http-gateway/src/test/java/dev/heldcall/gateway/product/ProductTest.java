package dev.heldcall.gateway.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the product's tests have in common: the node on the engine of this run, its tools, and
 * principals. Sessions and organizations are each test's own.
 */
@ExtendWith(SharedNodes.class)
abstract class ProductTest {

  private static final AtomicInteger SESSIONS = new AtomicInteger();
  private static final AtomicInteger ORGANIZATIONS = new AtomicInteger();

  final ProductNode node;
  final ToolServer tools;
  final Caller agent;
  final Caller alice;
  final Caller bob;
  final Caller operator;

  ProductTest(Engine engine) {
    node = SharedNodes.on(engine);
    tools = node.tools();
    agent = as("agent");
    alice = as("alice");
    bob = as("bob");
    operator = as("operator");
  }

  /** A principal of the organization whose policy no test changes. */
  final Caller as(String id) {
    return node.as(Cast.ACME + "-" + id);
  }

  /** An organization that no other test has. */
  static String ownOrganization() {
    return Cast.own(ORGANIZATIONS.getAndIncrement() / 2);
  }

  static String session() {
    return "s-" + SESSIONS.incrementAndGet();
  }

  /** A proposal in a session of its own. */
  static ObjectNode proposal(String tool, Object... args) {
    return proposalIn(session(), "c-1", tool, args);
  }

  static ObjectNode proposalIn(String sessionId, String callId, String tool, Object... args) {
    return Json.of(
        "session_id", sessionId,
        "turn_id", "t-1",
        "call_id", callId,
        "tool", tool,
        "args", Json.of(args));
  }

  static Held propose(Caller proposer, JsonNode proposal) {
    return held(proposer, proposal, proposer.post("/tool-calls", proposal));
  }

  static CompletableFuture<Held> proposeSoon(Caller proposer, JsonNode proposal) {
    return proposer
        .postSoon("/tool-calls", proposal)
        .thenApply(answer -> held(proposer, proposal, answer));
  }

  private static Held held(Caller proposer, JsonNode proposal, Got answer) {
    return new Held(
        proposer, proposal.path("session_id").asText(), proposal.path("call_id").asText(), answer);
  }

  /** A call that waits for a human. */
  final Held hold(String tool, Object... args) {
    ObjectNode proposal = proposal(tool, args);
    ((ObjectNode) proposal.path("args")).put("rule", "human");
    Held held = propose(agent, proposal);
    var _ = held.answer().is(202);
    return held;
  }

  /** A call that policy allows. */
  final Held call(String tool, Object... args) {
    return propose(agent, proposal(tool, args));
  }

  /** Waits until the tools' server has had so many requests for the call. */
  final void awaitRequests(Held held, int count) {
    Awaitility.await().atMost(Held.PATIENCE).until(() -> tools.requests(held.id()).size() >= count);
  }

  /** A large transfer, which waits for a human. */
  final Held holdTransfer(int amount) {
    Held held = propose(agent, transfer(session(), "c-1", amount));
    var _ = held.answer().is(202);
    return held;
  }

  static ObjectNode transfer(String sessionId, String callId, int amount) {
    return proposalIn(
        sessionId,
        callId,
        "money_transfer",
        "from",
        "acct-1",
        "to",
        "acct-2",
        "amount_minor",
        amount,
        "currency",
        "EUR");
  }
}
