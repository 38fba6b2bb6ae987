package dev.heldcall.gateway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.cluster.Client.Said;
import dev.heldcall.gateway.cluster.History.Call;
import dev.heldcall.gateway.product.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What clients do with one session's calls, from the proposal to the acknowledged delivery. Whoever
 * gets no answer says the same again with the same ids, so an answer may tell of what an earlier
 * try has done; any other answer than the contract's is a broken promise.
 */
final class Story {

  private static final String AGENT = "acme-agent";
  private static final String ALICE = "acme-alice";
  private static final String BOB = "acme-bob";
  private static final String OPERATOR = "acme-operator";
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final Client client;
  private final History history;
  private final Effects effects;
  private final SplittableRandom random;
  private final String session;

  Story(Client client, History history, Effects effects, SplittableRandom random, String session) {
    this.client = client;
    this.history = history;
    this.effects = effects;
    this.random = random;
    this.session = session;
  }

  /** Tells one of the stories. */
  void tell() {
    switch (random.nextInt(10)) {
      case 0 -> conclude(propose("c-1", "act", "none", null));
      case 1 -> approved(propose("c-1", "act", "human", null));
      case 2 -> approved(propose("c-1", "look", "human", null));
      case 3 -> approved(propose("c-1", "again", "human", null));
      case 4, 5 -> {
        Call call = propose("c-1", "look", "two", null);
        attest(call, ALICE);
        attest(call, BOB);
        conclude(call);
      }
      case 6 -> edited(propose("c-1", "look", "two", null));
      case 7 -> cancelled(propose("c-1", "act", "human", null));
      case 8 -> byClient(propose("c-1", "by_client", "none", null));
      default -> {
        Call first = propose("c-1", "look", "human", null);
        Call second = propose("c-2", "again", "none", first);
        approved(first);
        conclude(second);
      }
    }
  }

  private void approved(Call call) {
    attest(call, ALICE);
    conclude(call);
  }

  /** A call that is held, and stays so. */
  Call park() {
    return propose("c-1", "look", "human", null);
  }

  /** What is done with a parked call in the end. */
  void unpark(Call call) {
    approved(call);
  }

  private Call propose(String callId, String tool, String rule, @Nullable Call dependsOn) {
    Call call = history.call(session, callId, tool);
    ObjectNode proposal =
        Json.of(
            "session_id",
            session,
            "turn_id",
            "t-1",
            "call_id",
            callId,
            "tool",
            tool,
            "args",
            args(rule));
    if (dependsOn != null) {
      proposal.putArray("depends_on").add(dependsOn.heldId);
    }
    Said said = client.post(AGENT, "/tool-calls", proposal);
    expect(said.status() == 200 || said.status() == 202, "a proposal", said);
    call.heldId = said.text("/held_id");
    call.digest = said.text("/call_digest");
    return call;
  }

  /** Most tools answer soon; some so late that a node may be gone by then. */
  private ObjectNode args(String rule) {
    int late = random.nextInt(8) == 0 ? random.nextInt(3_000) : random.nextInt(60);
    return Json.of("rule", rule, "late", late, "mark", session);
  }

  private void attest(Call call, String witness) {
    Said now = client.get(OPERATOR, "/held/" + call.heldId);
    expect(now.status() == 200, "a read", now);
    Instant instant = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    String id = "a-" + witness + "-" + now.text("/generation");
    ObjectNode attestation =
        Json.of(
            "attestation_id", id,
            "generation", now.body().path("generation"),
            "call_digest", now.text("/call_digest"),
            "contract_digest", now.text("/contract/digest"),
            "witness_class", "human",
            "decision", "approve",
            "issued_at", instant.toString(),
            "expires_at", instant.plus(1, ChronoUnit.HOURS).toString());
    Said said = client.post(witness, "/held/" + call.heldId + "/attestations", attestation);
    expect(said.status() == 202 || said.status() == 200, "an attestation", said);
    call.attested.add(id);
  }

  private void edited(Call call) {
    attest(call, ALICE);
    ObjectNode args = args("two");
    Said said =
        client.post(
            AGENT, "/held/" + call.heldId + "/edit", Json.of("generation", 1, "args", args));
    if (said.status() == 409 && said.slug().equals("stale")) {
      Said now = client.get(AGENT, "/held/" + call.heldId);
      expect(now.body().path("args").equals(args), "an edit", said);
    } else {
      expect(said.status() == 202 || said.status() == 200, "an edit", said);
    }
    call.edited = args;
    attest(call, BOB);
    approved(call);
  }

  private void cancelled(Call call) {
    Said said =
        client.post(AGENT, "/held/" + call.heldId + "/cancel", Json.of("reason", "not any more"));
    expect(said.status() == 200, "a cancel", said);
    call.cancelled = true;
    conclude(call);
  }

  private void byClient(Call call) {
    Said leased =
        client.post(
            AGENT,
            "/held/" + call.heldId + "/lease",
            Json.of("generation", 1, "worker", "w-1"),
            "lease-" + call.heldId);
    expect(leased.status() == 200, "a lease", leased);
    JsonNode outcome =
        Json.of(
            "lease_id",
            leased.text("/lease_id"),
            "outcome",
            "succeeded",
            "content",
            Json.of("done", true));
    Said said = client.post(AGENT, "/held/" + call.heldId + "/outcome", outcome);
    expect(said.status() == 200, "an outcome", said);
    call.reported = true;
    conclude(call);
  }

  /** Waits for the delivery, and acknowledges it; an operator helps where only one can. */
  private void conclude(Call call) {
    long until = System.nanoTime() + LONGEST_NANOS;
    JsonNode item = delivery(call);
    while (item == null) {
      if (System.nanoTime() > until) {
        Said now = client.get(OPERATOR, "/held/" + call.heldId);
        history.broken("no delivery of " + call.heldId + ", which stands so: " + now.body());
        return;
      }
      resolve(call);
      item = delivery(call);
    }
    Said said =
        client.post(
            AGENT,
            "/sessions/" + session + "/deliveries/" + item.path("delivery_id").asText() + "/ack",
            Json.of());
    expect(said.status() == 200, "an acknowledgement", said);
    call.acknowledged = true;
    expect(delivery(call) != null, "a delivery after its acknowledgement", said);
  }

  private @Nullable JsonNode delivery(Call call) {
    Said said = client.get(AGENT, "/sessions/" + session + "/deliveries?wait_ms=1000");
    expect(said.status() == 200, "deliveries", said);
    JsonNode found = null;
    for (JsonNode item : said.body().path("items")) {
      if (item.path("held_id").asText().equals(call.heldId)) {
        found = item;
        ObjectNode content = item.deepCopy();
        content.remove("acknowledged");
        call.delivered.add(content.toString());
      }
    }
    return found;
  }

  /** What nobody but a person can find out: here, the person looks into the tool's own books. */
  private void resolve(Call call) {
    Said now = client.get(OPERATOR, "/held/" + call.heldId);
    if (!now.text("/phase").equals("OUTCOME_UNKNOWN") || !call.tool.equals("act")) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      return;
    }
    boolean effect = !effects.of(now.text("/idempotency_key")).isEmpty();
    ObjectNode resolution =
        Json.of("outcome", effect ? "effect" : "no-effect", "evidence", Json.of("looked", true));
    if (effect) {
      resolution.set("content", Json.of("done", true));
    }
    Said said = client.post(OPERATOR, "/held/" + call.heldId + "/resolution", resolution);
    expect(said.status() == 200 || said.status() == 409, "a resolution", said);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
  }

  private void expect(boolean holds, String what, Said said) {
    if (!holds) {
      history.broken(
          what + " in " + session + " was answered " + said.status() + " " + said.body());
      throw new IllegalStateException(what + " in " + session);
    }
  }
}
