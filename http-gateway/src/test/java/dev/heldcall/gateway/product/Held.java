package dev.heldcall.gateway.product;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A call as its proposer knows it.
 *
 * @param proposer who proposed it
 * @param sessionId its session
 * @param callId its id in it
 * @param answer what the proposal was answered
 */
record Held(Caller proposer, String sessionId, String callId, Got answer) {

  /** How long anything is waited for; long, for a machine that has much to do. */
  static final Duration PATIENCE = Duration.ofSeconds(40);

  String id() {
    return answer.text("/held_id");
  }

  String path() {
    return "/held/" + id();
  }

  Got read() {
    return proposer.get(path()).is(200);
  }

  /** An attestation bound to the call as the proposal's answer had it. */
  ObjectNode attestation(String id, String witnessClass, String decision) {
    return attestation(answer.json(), id, witnessClass, decision);
  }

  /** An attestation bound to the call as it stands now. */
  ObjectNode attestationNow(String id, String witnessClass, String decision) {
    return attestation(read().json(), id, witnessClass, decision);
  }

  private static ObjectNode attestation(
      JsonNode call, String id, String witnessClass, String decision) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return Json.of(
        "attestation_id", id,
        "generation", call.path("generation"),
        "call_digest", call.path("call_digest"),
        "contract_digest", call.at("/contract/digest"),
        "witness_class", witnessClass,
        "decision", decision,
        "reason", decision + " of " + id,
        "issued_at", now.toString(),
        "expires_at", now.plus(1, ChronoUnit.HOURS).toString());
  }

  Got attest(Caller witness, JsonNode attestation) {
    return witness.post(path() + "/attestations", attestation);
  }

  Got approve(Caller witness) {
    return attest(witness, attestation("a-" + witness.token(), "human", "approve"));
  }

  Got deny(Caller witness) {
    return attest(witness, attestation("d-" + witness.token(), "human", "deny"));
  }

  Got cancel(String reason) {
    return proposer.post(path() + "/cancel", Json.of("reason", reason));
  }

  Got lease(Caller by) {
    return by.post(path() + "/lease", Json.of("generation", 1, "worker", "w-1"));
  }

  Got outcome(Caller by, String leaseId, String outcome, JsonNode content) {
    return by.post(
        path() + "/outcome", Json.of("lease_id", leaseId, "outcome", outcome, "content", content));
  }

  Got resolve(Caller by, ObjectNode body) {
    body.set("evidence", Json.of("ticket", "OPS-1"));
    return by.post(path() + "/resolution", body);
  }

  Got edit(int generation, JsonNode args) {
    return proposer.post(path() + "/edit", Json.of("generation", generation, "args", args));
  }

  /** Waits until the call looks so. */
  Got until(Predicate<JsonNode> looksSo) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(25))
        .until(this::read, got -> looksSo.test(got.json()));
  }

  /** Asks again and again until the answer looks so. */
  Got until(Supplier<Got> asked, Predicate<Got> looksSo) {
    return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(25)).until(asked::get, looksSo);
  }

  /** Waits until the field at the pointer has the value. */
  Got until(String pointer, String value) {
    try {
      return until(call -> call.at(pointer).asText().equals(value));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(pointer + " did not become " + value + ": " + read().text(), e);
    }
  }

  /** The deliveries of its session. */
  JsonNode deliveries() {
    return proposer.get("/sessions/" + sessionId + "/deliveries").is(200).at("/items");
  }

  /** Its delivery, waited for. */
  JsonNode delivery() {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(25))
        .until(this::ownDelivery, node -> !node.isMissingNode());
  }

  private JsonNode ownDelivery() {
    for (JsonNode each : deliveries()) {
      if (each.path("held_id").asText().equals(id())) {
        return each;
      }
    }
    return Json.of().path("none");
  }

  JsonNode history() {
    return proposer.get(path() + "/history").is(200).at("/items");
  }

  /** How many events of the type its history has. */
  long events(String type) {
    long count = 0;
    for (JsonNode each : history()) {
      if (each.path("type").asText().equals(type)) {
        count++;
      }
    }
    return count;
  }
}
