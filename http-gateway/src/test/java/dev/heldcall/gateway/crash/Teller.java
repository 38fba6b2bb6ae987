package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.heldcall.gateway.crash.Client.Got;
import dev.heldcall.gateway.crash.Client.NodeGoneException;
import dev.heldcall.gateway.crash.Ledger.Call;
import dev.heldcall.gateway.crash.Ledger.What;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plays one strand of a story as honest clients do: everything has an id of its own, and after a
 * crash everything is said again with the same ids and the same content. What it once made up it
 * remembers; what it is told goes to the ledger.
 */
final class Teller {

  private static final int ROUNDS = 400;

  /** As configured: after so many leases only an operator can say what came of a call. */
  private static final int MAX_ATTEMPTS = 5;

  /** A step of a strand that has to look again. */
  @FunctionalInterface
  interface Look {
    boolean done(JsonNode call) throws NodeGoneException;
  }

  private final String strand;
  private final String session;
  private final Ledger ledger;
  private final ToolLedger tools;
  private final Map<String, JsonNode> memory = new HashMap<>();
  private @Nullable Client client;

  Teller(String story, String strand, Ledger ledger, ToolLedger tools) {
    this.strand = strand;
    this.session = "s-" + story + "-" + strand;
    this.ledger = ledger;
    this.tools = tools;
  }

  /** From now on it speaks to this incarnation. */
  void speakTo(Client incarnation) {
    client = incarnation;
  }

  Client client() {
    if (client == null) {
      throw new IllegalStateException("nobody to speak to");
    }
    return client;
  }

  String session() {
    return session;
  }

  /** What was made up or learnt before under the name, or is now. */
  private JsonNode remembered(String name, JsonNode now) {
    return memory.computeIfAbsent(name, key -> now);
  }

  /** A proposal in this strand's session. */
  ObjectNode proposal(String callId, String tool, Object... args) {
    return Json.of(
        "session_id", session,
        "turn_id", "t-1",
        "call_id", callId,
        "tool", tool,
        "args", Json.of(args));
  }

  /** Proposes; a call that runs is answered once it has run. */
  Call propose(ObjectNode proposal, int approvals) throws NodeGoneException {
    String key = session + "-" + proposal.path("call_id").asText();
    Got got = client().post("agent", "/tool-calls", proposal, key).is(200, 202, 403);
    return proposed("agent", session, got, approvals);
  }

  /** Waits at the mailbox until something is in it. */
  void awaitDelivery() throws NodeGoneException {
    String wait = "/sessions/" + session + "/deliveries?wait_ms=5000";
    var _ = client().get("agent", wait).is(200);
  }

  private Call proposed(String token, String sessionId, Got got, int approvals) {
    Call call = new Call(strand, token, sessionId, got.text("/held_id"), approvals);
    ledger.call(call);
    ledger.said(call, What.PROPOSED, got.body().path("call_digest"));
    JsonNode result = got.body().path("result");
    if (got.status() == 200 && result.isObject()) {
      ledger.said(call, What.DELIVERED, Json.of("kind", "result", "result", result));
    }
    return call;
  }

  /** Proposes to replace the policy, on the epoch that stood when it was first looked at. */
  Call proposePolicy(String name, JsonNode document) throws NodeGoneException {
    JsonNode base = memory.get("base");
    if (base == null) {
      base = remembered("base", client().get("owner", "/policies/acme").is(200).body());
    }
    ObjectNode body =
        Json.of(
            "call_id",
            session + "-" + name,
            "base_epoch",
            base.path("epoch"),
            "document",
            document);
    // 403: another change came first, while this one was not heard
    Got got = client().post("owner", "/policies/acme", body).is(200, 202, 403);
    return proposed("owner", "heldcall.policy", got, 1);
  }

  /** Reads the epoch in force; it must never fall back. */
  long epoch(Call change) throws NodeGoneException {
    JsonNode policy = client().get("owner", "/policies/acme").is(200).body();
    ledger.said(change, What.EPOCH, policy.path("epoch"));
    return policy.path("epoch").asLong();
  }

  JsonNode read(Call call) throws NodeGoneException {
    return client().get(call.token(), path(call)).is(200).body();
  }

  static String path(Call call) {
    return "/held/" + call.heldId();
  }

  /** Looks at the call again whenever it has changed, until it is as wanted. */
  JsonNode until(Call call, Look look) throws NodeGoneException {
    Got got = client().get(call.token(), path(call)).is(200);
    for (int i = 0; i < ROUNDS; i++) {
      if (look.done(got.body())) {
        return got.body();
      }
      String more = "?wait_ms=500&since=" + got.etag();
      got = client().get(call.token(), path(call) + more).is(200);
    }
    throw new AssertionError(strand + " does not go on: " + got.body());
  }

  /** Knocks at a witness provider. */
  void poke(String provider, String reference) throws NodeGoneException {
    var _ =
        client()
            .post("alice", "/witnesses/" + provider + "/incoming", TextNode.valueOf(reference))
            .is(202);
  }

  /** Has these people approve what stands, until the call is ready or beyond. */
  JsonNode gather(Call call, String... people) throws NodeGoneException {
    return until(
        call,
        now -> {
          if (isDecided(now)) {
            return true;
          }
          for (String person : people) {
            attest(call, person, "approve", now);
          }
          return false;
        });
  }

  static boolean isDecided(JsonNode call) {
    return !call.at("/status/lifecycle").asText().equals("open")
        || !call.at("/status/execution").asText().equals("none")
        || call.at("/status/readiness").asText().equals("satisfied");
  }

  /** Attests to the call as it is shown, once for each thing that it can be bound to. */
  Got attest(Call call, String person, String decision, JsonNode shown) throws NodeGoneException {
    String binding =
        shown.path("generation").asText()
            + "-"
            + shown.at("/contract/digest").asText().replaceAll("^sha256:(.{8}).*", "$1");
    String id = decision + "-" + person + "-" + binding;
    return attest(call, person, bound(shown, id, decision));
  }

  JsonNode bound(JsonNode shown, String id, String decision) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return remembered(
        "attestation " + shown.path("call_id").asText() + " " + id,
        Json.of(
            "attestation_id", id,
            "generation", shown.path("generation"),
            "call_digest", shown.path("call_digest"),
            "contract_digest", shown.at("/contract/digest"),
            "witness_class", "human",
            "decision", decision,
            "reason", decision + " of " + id,
            "issued_at", now.toString(),
            "expires_at", now.plus(1, ChronoUnit.HOURS).toString()));
  }

  Got attest(Call call, String person, JsonNode attestation) throws NodeGoneException {
    Got got =
        client().post(person, path(call) + "/attestations", attestation).is(202, 200, 409, 422);
    What what = got.status() < 300 ? What.ATTESTED : What.REFUSED;
    ledger.said(call, what, attestation.path("attestation_id"));
    return got;
  }

  /** Takes requests from the queue, and gives the first of them back. */
  void claimAndRelease(String person) throws NodeGoneException {
    ObjectNode wanted = Json.of("class", "human", "limit", 3, "lease_ms", 1_000);
    Got got = client().post(person, "/witness-requests/claim", wanted).is(200);
    JsonNode first = got.body().at("/items/0/claim_id");
    if (first.isTextual()) {
      String release = "/witness-requests/" + first.asText() + "/release";
      var _ = client().post(person, release, Json.of()).is(200);
    }
  }

  void revoke(Call call, String person, String id) throws NodeGoneException {
    Got got =
        client()
            .post(
                person,
                path(call) + "/attestations/" + id + "/revoke",
                Json.of("reason", "second thoughts"))
            .is(200);
    ledger.said(call, What.REVOKED, Json.of("id", id, "status", got.status()).path("id"));
  }

  /** Edits the first generation into a second one, if that is not done yet. */
  void edit(Call call, JsonNode args) throws NodeGoneException {
    Got got =
        client()
            .post("agent", path(call) + "/edit", Json.of("generation", 1, "args", args))
            .is(200, 202, 409);
    if (got.status() < 300) {
      ledger.said(call, What.EDITED, got.body().path("generation"));
    }
  }

  void cancel(Call call) throws NodeGoneException {
    Got got =
        client().post("agent", path(call) + "/cancel", Json.of("reason", "no more")).is(200, 409);
    if (got.status() == 200) {
      ledger.said(call, What.CANCELLED, got.body().path("lifecycle"));
    }
  }

  /** Runs a call at the client: takes its lease, has the effect, reports it. */
  void runAtClient(Call call) throws NodeGoneException {
    int generation = read(call).path("generation").asInt();
    Got lease =
        client()
            .post(
                "agent",
                path(call) + "/lease",
                Json.of("generation", generation, "worker", "w"),
                session + "-lease")
            .is(200, 409);
    if (lease.status() == 409) {
      return;
    }
    ledger.said(call, What.LEASED, lease.body().path("lease_id"));
    ObjectNode outcome = Json.of("outcome", "succeeded", "content", Json.of("by", "the client"));
    outcome.set("lease_id", lease.body().path("lease_id"));
    var _ = client().post("agent", path(call) + "/outcome", outcome).is(200);
    ledger.said(call, What.REPORTED, outcome.path("lease_id"));
  }

  /** Sees the call to its end: resolved where nobody else can, delivered and acknowledged. */
  JsonNode finish(Call call) throws NodeGoneException {
    JsonNode end =
        until(
            call,
            now -> {
              boolean unknown =
                  now.at("/status/execution").asText().equals("outcome-unknown")
                      && (now.path("tool").asText().equals("act")
                          || now.path("attempt").asInt() >= MAX_ATTEMPTS);
              if (unknown) {
                resolve(call);
              }
              return !unknown
                  && (!now.at("/status/lifecycle").asText().equals("open")
                      || !now.at("/status/result_admission").asText().equals("pending"));
            });
    deliver(call);
    keepHistory(call);
    return end;
  }

  /** Says what the tool's own books say. */
  private void resolve(Call call) throws NodeGoneException {
    keepHistory(call);
    boolean effect = !tools.effects(call.heldId()).isEmpty();
    ObjectNode resolution =
        Json.of("outcome", effect ? "effect" : "no-effect", "evidence", Json.of("ticket", "1"));
    if (effect) {
      resolution.set("content", Json.of("ok", true));
    }
    Got got = client().post("operator", path(call) + "/resolution", resolution).is(200, 409);
    if (got.status() == 200) {
      ledger.said(call, What.RESOLVED, resolution.path("outcome"));
    }
  }

  private void deliver(Call call) throws NodeGoneException {
    String deliveries = "/sessions/" + call.sessionId() + "/deliveries";
    for (int i = 0; i < ROUNDS; i++) {
      Got got = client().get(call.token(), deliveries + "?limit=500").is(200);
      for (JsonNode item : got.body().path("items")) {
        if (item.path("held_id").asText().equals(call.heldId())) {
          ledger.said(call, What.DELIVERED, item);
          String ack = deliveries + "/" + item.path("delivery_id").asText() + "/ack";
          var _ = client().post(call.token(), ack, Json.of()).is(200);
          ledger.said(call, What.ACKNOWLEDGED, item.path("delivery_id"));
          return;
        }
      }
      // a bell that rings, or half a second
      long last =
          got.body().path("items").path(got.body().path("items").size() - 1).path("seq").asLong();
      var _ = client().get(call.token(), deliveries + "?wait_ms=250&after=" + last).is(200);
    }
    throw new AssertionError(strand + " is not delivered");
  }

  /** What is in the history now is there for good. */
  void keepHistory(Call call) throws NodeGoneException {
    ledger.said(call, What.HISTORY, history(call));
  }

  JsonNode history(Call call) throws NodeGoneException {
    return client().get(call.token(), path(call) + "/history").is(200).body().path("items");
  }
}
