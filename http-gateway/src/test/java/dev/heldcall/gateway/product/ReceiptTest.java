package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A call's receipt (the HTTP contract, section 7), and the trace of what policy said. */
@ParameterizedClass
@EnumSource(Engine.class)
class ReceiptTest extends ProductTest {

  private static final String CANARY = "canary-5c21";

  ReceiptTest(Engine engine) {
    super(engine);
  }

  private static Got receipt(Caller viewer, Held held) {
    return viewer.get(held.path() + "/receipt").is(200);
  }

  private Got receipt(Held held) {
    return receipt(agent, held);
  }

  private Held holdForTwo() {
    Held held = propose(agent, proposal("act", "rule", "two", "secret", CANARY));
    var _ = held.answer().is(202);
    return held;
  }

  private static void decided(
      Held held, JsonNode decision, String witness, String how, String attestationId) {
    assertThat(decision.path("witness").asText()).isEqualTo(witness);
    assertThat(decision.path("display_name").asText()).isEqualTo(witness);
    assertThat(decision.path("class").asText()).isEqualTo("human");
    assertThat(decision.path("decision").asText()).isEqualTo(how);
    assertThat(decision.path("attestation_id").asText()).isEqualTo(attestationId);
    assertThat(decision.path("call_digest").asText()).isEqualTo(held.answer().text("/call_digest"));
    assertThat(decision.path("state").asText()).isEqualTo("valid");
  }

  @Test
  void twoWitnessesAndWhatCameOfItAreOnTheReceipt() {
    Held held = holdForTwo();
    Got open = receipt(held);
    assertThat(open.at("/decisions")).isEmpty();
    assertThat(open.at("/outcome").isNull()).isTrue();
    assertThat(open.at("/content_digest").isNull()).isTrue();

    Instant before = Instant.now().minusSeconds(60);
    var _ = held.approve(alice).is(202);
    var _ = held.approve(bob).is(202);
    var _ = held.delivery();
    Got got = receipt(held);
    Got call = held.read();
    assertThat(got.text("/held_id")).isEqualTo(held.id());
    assertThat(got.text("/call_digest")).isEqualTo(call.text("/call_digest"));
    assertThat(got.at("/contract")).isEqualTo(call.at("/contract"));
    assertThat(got.text("/contract/digest")).isEqualTo(held.answer().text("/contract/digest"));
    assertThat(got.text("/policy_version")).isEqualTo(call.text("/policy_version"));
    assertThat(got.text("/outcome")).isEqualTo("succeeded");
    assertThat(got.text("/content_digest"))
        .startsWith("sha256:")
        .isEqualTo(call.text("/result/content_digest"));
    assertThat(got.at("/left_out").asInt(-1)).isZero();
    assertThat(got.at("/decisions")).hasSize(2);
    decided(held, got.at("/decisions/0"), "alice", "approve", "a-" + alice.token());
    decided(held, got.at("/decisions/1"), "bob", "approve", "a-" + bob.token());
    assertThat(Instant.parse(got.text("/decisions/0/at"))).isAfter(before);
    assertThat(got.text()).doesNotContain(CANARY);
    assertThat(got.header("etag")).isNotEmpty();
    assertThat(receipt(alice, held).text()).isEqualTo(got.text());
  }

  @Test
  void aDenialIsOnTheReceiptWithWhoDenied() {
    Held held = hold("act");
    var _ = held.deny(alice).is(202);
    var _ = held.until("/status/lifecycle", "denied");
    Got got = receipt(held);
    assertThat(got.text("/outcome")).isEqualTo("denied");
    assertThat(got.at("/content_digest").isNull()).isTrue();
    assertThat(got.at("/decisions")).hasSize(1);
    decided(held, got.at("/decisions/0"), "alice", "deny", "d-" + alice.token());
  }

  @Test
  void aCallThatPolicyDeniedOrAllowedHasNoDecisionsAndNoContract() {
    for (Held held : new Held[] {call("act", "rule", "deny"), call("act")}) {
      Got got = receipt(held);
      assertThat(got.at("/decisions").isArray()).isTrue();
      assertThat(got.at("/decisions")).isEmpty();
      assertThat(got.at("/contract").isNull()).isTrue();
      assertThat(got.text("/outcome"))
          .isEqualTo(held.answer().status() == 200 ? "succeeded" : "denied");
    }
  }

  @Test
  void aCancelledCallKeepsWhatWasDecidedAndWhatWasTakenBack() {
    Held held = holdForTwo();
    var _ = held.approve(alice).is(202);
    String id = "a-" + alice.token();
    var _ = alice.post(held.path() + "/attestations/" + id + "/revoke").is(200);
    var _ = held.cancel("changed my mind").is(200);
    Got got = receipt(held);
    assertThat(got.text("/outcome")).isEqualTo("cancelled");
    assertThat(got.at("/decisions")).hasSize(1);
    assertThat(got.text("/decisions/0/state")).isEqualTo("revoked");
  }

  @Test
  void decisionsAboutAnEarlierGenerationAreNotOnTheReceipt() {
    Held held = holdForTwo();
    var _ = held.approve(alice).is(202);
    var _ = held.edit(1, Json.of("rule", "two", "n", 2)).is(202);
    Got edited = receipt(held);
    assertThat(edited.at("/decisions")).isEmpty();
    assertThat(edited.text("/call_digest")).isNotEqualTo(held.answer().text("/call_digest"));
    var _ = held.attest(bob, held.attestationNow("b-2", "human", "approve")).is(202);
    Got after = receipt(held);
    assertThat(after.at("/decisions")).hasSize(1);
    assertThat(after.text("/decisions/0/call_digest")).isEqualTo(after.text("/call_digest"));
  }

  @Test
  void ofAQuarantinedResultThereIsTheDigestOnly() {
    Held held = call("strict_result", "say", CANARY);
    var _ = held.answer().is(200);
    Got got = receipt(operator, held);
    assertThat(held.read().text("/status/result_admission")).isEqualTo("quarantined");
    assertThat(got.text("/outcome")).isEqualTo("succeeded");
    assertThat(got.text("/content_digest")).isEqualTo(held.read().text("/result/content_digest"));
    assertThat(got.text()).doesNotContain(CANARY).doesNotContain("\"content\"");
  }

  @Test
  void anEffectNobodyKnowsOfIsUnknown() {
    Held held = call("strict_result", "do", "cut");
    assertThat(held.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    assertThat(receipt(held).text("/outcome")).isEqualTo("unknown");
  }

  @Test
  void itIsReadByWhoMayReadTheCallAndByNobodyElse() {
    Held held = hold("act");
    String path = held.path() + "/receipt";
    for (String id : new String[] {"agent", "alice", "operator"}) {
      var _ = as(id).get(path).is(200);
    }
    for (String id : new String[] {"agent-2", "ci", "owner"}) {
      var _ = as(id).get(path).isProblem(403, "forbidden");
    }
    var _ = node.as("other-operator").get(path).isProblem(404, "not-found");
    var _ = node.as("nobody").get(path).isProblem(401, "unauthorized");
    var _ = agent.get(path + "?limit=1").isProblem(422, "unknown-field");
    var _ = agent.get("/held/hc_" + "a".repeat(52) + "/receipt").isProblem(404, "not-found");
  }

  @Test
  void answersSayWhichRulesMadeTheVerdict() {
    JsonNode denied =
        Json.of(
            "layer", "floor",
            "rule", "forbidden",
            "verdict", "DENY",
            "message", "this is never done");
    Held refused = call("act", "rule", "deny");
    assertThat(refused.answer().is(403).at("/trace/0")).isEqualTo(denied);
    assertThat(refused.read().at("/trace/0")).isEqualTo(denied);

    Held held = hold("act");
    assertThat(held.answer().text("/trace/0/rule")).isEqualTo("human");
    assertThat(held.answer().text("/trace/0/verdict")).isEqualTo("REQUIRE_WITNESS");
    assertThat(alice.get(held.path()).at("/trace")).isEqualTo(held.answer().at("/trace"));
    assertThat(held.edit(1, Json.of("rule", "deny")).is(403).at("/trace/0")).isEqualTo(denied);

    Got nobody = call("no_rule").answer().is(403);
    assertThat(nobody.text("/trace/0/layer")).isEqualTo("kernel");
    assertThat(nobody.text("/trace/0/verdict")).isEqualTo("INDETERMINATE");
  }
}
