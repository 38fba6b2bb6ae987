package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is shown of a call, and to whom (the HTTP contract, section 2). */
@ParameterizedClass
@EnumSource(Engine.class)
class ReadingTest extends ProductTest {

  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

  ReadingTest(Engine engine) {
    super(engine);
  }

  @Test
  void everyFieldOfTheContractIsThere() {
    ObjectNode proposal = proposal("act", "rule", "human", "z", 1);
    proposal.put("continuation_ref", "ckpt://s-1/7");
    Held held = propose(agent, proposal);
    Got got = held.read();
    JsonNode call = got.json();
    for (String field :
        "held_id session_id turn_id call_id boundary tool args args_digest call_digest contract policy_version plugin_set_digest principal capability_snapshot continuation_ref created_at expires_at attempt idempotency_key status phase explain result"
            .split(" ", -1)) {
      assertThat(call.has(field)).as(field).isTrue();
    }
    for (String field :
        "intent_generation lifecycle readiness evidence witness_rule policy_epoch_checked execution result_admission continuation_delivery"
            .split(" ", -1)) {
      assertThat(call.path("status").has(field)).as(field).isTrue();
    }
    assertThat(call.at("/args")).isEqualTo(proposal.path("args"));
    assertThat(call.at("/principal"))
        .isEqualTo(Json.of("org", "acme", "project", "main", "id", "agent"));
    assertThat(call.at("/capability_snapshot").toString()).contains("act").contains("pay");
    assertThat(call.at("/continuation_ref").asText()).isEqualTo("ckpt://s-1/7");
    assertThat(call.at("/boundary").asText()).isEqualTo("tool");
    assertThat(call.at("/created_at").asText()).matches("[0-9T:-]{19}\\.[0-9]{3}Z");
    assertThat(call.at("/idempotency_key").asText()).isEqualTo(held.id() + ".1");
    assertThat(call.at("/attempt").asInt()).isZero();
    assertThat(call.at("/status/lifecycle").asText()).isEqualTo("open");
    assertThat(call.at("/status/readiness").asText()).isEqualTo("unsatisfied");
    assertThat(call.at("/status/witness_rule"))
        .isEqualTo(Json.of("expression", "human", "value", "unknown"));
    assertThat(call.at("/status/execution").asText()).isEqualTo("none");
    assertThat(call.at("/status/result_admission").asText()).isEqualTo("pending");
    assertThat(call.at("/status/continuation_delivery").asText()).isEqualTo("pending");
    assertThat(call.at("/phase").asText()).isEqualTo("HELD");
    assertThat(call.at("/explain/0").asText()).isEqualTo("waiting for: human (0 of 1)");
    assertThat(call.at("/result").isNull()).isTrue();
    assertThat(got.header("etag")).matches("\"[0-9]+\"");
  }

  @Test
  void anyoneCanComputeTheDigests() {
    Held held = hold("act", "b", "\u20ac", "a", 1.50);
    JsonNode call = held.read().json();
    assertThat(call.path("args_digest").asText()).isEqualTo(digest(call.path("args")));
    ObjectNode contract = call.path("contract").deepCopy();
    contract.remove("digest");
    assertThat(call.at("/contract/digest").asText()).isEqualTo(digest(contract));
    ObjectNode covered =
        Json.of(
            "v",
            1,
            "held_id",
            held.id(),
            "generation",
            1,
            "boundary",
            "tool",
            "tool",
            "act",
            "args_digest",
            call.path("args_digest"),
            "principal",
            call.path("principal"));
    assertThat(call.path("call_digest").asText()).isEqualTo(digest(covered));
  }

  private static String digest(JsonNode node) {
    return "sha256:" + HexFormat.of().formatHex(sha256(CanonicalJson.text(node)));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rule16_theHeldIdIsDerivedFromTheIdentityAlone() {
    ObjectNode proposal = proposal("act");
    assertThat(propose(agent, proposal).id()).isEqualTo(heldId("agent", proposal));
  }

  /** The id that a proposal's call will have. */
  static String heldId(String proposer, ObjectNode proposal) {
    ArrayNode identity = JsonNodeFactory.instance.arrayNode();
    identity.add(Cast.ACME).add("main").add(proposer);
    for (String part : new String[] {"session_id", "turn_id", "call_id"}) {
      identity.add(proposal.path(part));
    }
    return "hc_" + base32(sha256(CanonicalJson.text(identity)));
  }

  private static String base32(byte[] bytes) {
    StringBuilder bits = new StringBuilder();
    for (byte each : bytes) {
      bits.append(
          String.format(Locale.ROOT, "%8s", Integer.toBinaryString(each & 0xff)).replace(' ', '0'));
    }
    while (bits.length() % 5 != 0) {
      bits.append('0');
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bits.length(); i += 5) {
      text.append(BASE32.charAt(Integer.parseInt(bits.substring(i, i + 5), 2)));
    }
    return text.toString();
  }

  @Test
  void field05_parallelCallsOfOneTurnHaveIdsOfTheirOwn() {
    String session = session();
    String one = propose(agent, proposalIn(session, "a", "by_client")).id();
    String other = propose(agent, proposalIn(session, "b", "by_client")).id();
    ObjectNode glued = proposalIn(session, "c", "by_client").put("turn_id", "t-1:a");
    ObjectNode apart = proposalIn(session, "a:c", "by_client").put("turn_id", "t-1");
    String nfc = propose(agent, proposalIn(session, "\u00e9", "by_client")).id();
    String nfd = propose(agent, proposalIn(session, "e\u0301", "by_client")).id();
    String stranger = propose(as("agent-2"), proposalIn(session, "a", "by_client")).id();
    assertThat(
            new String[] {
              one, other, nfc, nfd, stranger, propose(agent, glued).id(), propose(agent, apart).id()
            })
        .doesNotHaveDuplicates();
  }

  @Test
  void onlyProposerEligibleWitnessesAndOperatorsSeeACall() {
    Held held = hold("act");
    for (String path : new String[] {held.path(), held.path() + "/history"}) {
      for (String id : new String[] {"agent", "alice", "operator"}) {
        var _ = as(id).get(path).is(200);
      }
      for (String id : new String[] {"agent-2", "ci", "owner"}) {
        var _ = as(id).get(path).isProblem(403, "forbidden");
      }
      var _ = node.as("other-operator").get(path).isProblem(404, "not-found");
      var _ = node.as("nobody").get(path).isProblem(401, "unauthorized");
    }
    String unknown = "hc_" + "a".repeat(52);
    var _ = agent.get("/held/" + unknown).isProblem(404, "not-found");
    var _ = agent.get("/held/nonsense").isProblem(404, "not-found");
  }

  @Test
  void field20_whatIsNotShownToTheReviewerIsSaidToBeLeftOut() {
    for (String disclosure : new String[] {"summary", "digest"}) {
      ObjectNode proposal = proposal("act", "rule", "human", "secret", "canary-9");
      proposal.set("preferences", Json.of("disclosure", disclosure));
      Held held = propose(agent, proposal);
      for (Got got :
          new Got[] {
            alice.get(held.path()).is(200),
            alice.get(held.path() + "/history").is(200),
            alice.get("/held?state=all&limit=500&session_id=" + held.sessionId()).is(200)
          }) {
        assertThat(got.text()).as(got.asked()).doesNotContain("canary-9");
      }
      Got seen = alice.get(held.path());
      assertThat(seen.at("/args_left_out").asBoolean()).isTrue();
      assertThat(seen.text("/args_digest")).isEqualTo(held.answer().text("/args_digest"));
      assertThat(agent.get(held.path()).text("/args/secret")).isEqualTo("canary-9");
      assertThat(operator.get(held.path()).text("/args/secret")).isEqualTo("canary-9");
      assertThat(held.answer().at("/witness_request/presentation/args_left_out").asBoolean())
          .isTrue();
    }
  }

  @Test
  void field20_aLongArgumentIsNeverCutSilently() {
    String all = "x".repeat(100_000) + "end";
    Held held = hold("act", "text", all);
    assertThat(alice.get(held.path()).text("/args/text")).isEqualTo(all);
    Got inbox =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(
                () -> alice.get("/held?session_id=" + held.sessionId()),
                got -> got.at("/items").size() == 1);
    JsonNode shown = inbox.at("/items/0/presentation");
    boolean whole = shown.at("/args/text").asText().equals(all);
    assertThat(whole || shown.path("args_left_out").asBoolean()).isTrue();
    assertThat(shown.path("full").asText()).isEqualTo(held.path());
  }

  @Test
  void aReaderWaitsForTheNextChange() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    String etag = held.read().header("etag").replace("\"", "");
    var waiting =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> agent.get(held.path() + "?wait_ms=40000&since=" + etag));
    var _ = held.approve(alice).is(202);
    Got changed = waiting.join().is(200);
    assertThat(changed.at("/status/evidence")).hasSize(1);
    assertThat(Long.parseLong(changed.header("etag").replace("\"", "")))
        .isGreaterThan(Long.parseLong(etag));
    String quoted = java.net.URLEncoder.encode(changed.header("etag"), StandardCharsets.UTF_8);
    var _ = agent.get(held.path() + "?wait_ms=50&since=" + quoted).is(200);
    Got same =
        agent.get(held.path() + "?wait_ms=50&since=" + changed.header("etag").replace("\"", ""));
    assertThat(same.is(200).header("etag")).isEqualTo(changed.header("etag"));
  }

  @Test
  void theHistoryHasEveryEventInOrder() {
    Held held = hold("act");
    var _ = held.attest(alice, held.attestation("x", "human", "approve").put("generation", 5));
    var _ = held.approve(alice).is(202);
    String delivery = held.delivery().path("delivery_id").asText();
    var _ =
        agent.post("/sessions/" + held.sessionId() + "/deliveries/" + delivery + "/ack").is(200);
    JsonNode history = held.history();
    long before = 0;
    for (JsonNode event : history) {
      assertThat(event.path("seq").asLong()).isEqualTo(before + 1);
      before = event.path("seq").asLong();
      for (String field : new String[] {"event_id", "type", "at", "actor", "data"}) {
        assertThat(event.has(field)).as(field).isTrue();
      }
    }
    assertThat(history.findValuesAsText("type"))
        .contains(
            "call-proposed",
            "call-ruled",
            "attestation-refused",
            "attestation-accepted",
            "lease-granted",
            "outcome-recorded",
            "result-admitted",
            "delivery-acknowledged");
  }

  @Test
  void rule24_theHistoryIsPagedAndSaysWhatIsLeftOut() {
    Held held = hold("act");
    var _ = held.approve(alice).is(202);
    var _ = held.delivery();
    int all = held.history().size();
    Got first = agent.get(held.path() + "/history?limit=2").is(200);
    assertThat(first.at("/items")).hasSize(2);
    assertThat(first.at("/left_out").asInt()).isEqualTo(all - 2);
    Got rest = agent.get(held.path() + "/history?after=2&limit=500").is(200);
    assertThat(rest.at("/items")).hasSize(all - 2);
    assertThat(rest.at("/left_out").asInt()).isZero();
  }
}
