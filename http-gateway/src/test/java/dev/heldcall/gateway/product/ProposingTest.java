package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a proposal is answered (the HTTP contract, section 1). */
@ParameterizedClass
@EnumSource(Engine.class)
class ProposingTest extends ProductTest {

  ProposingTest(Engine engine) {
    super(engine);
  }

  private static ObjectNode preferring(ObjectNode proposal, Object... preferences) {
    proposal.set("preferences", Json.of(preferences));
    return proposal;
  }

  @Test
  void aHeldCallIsAnsweredWithAllThatAWitnessNeeds() {
    Held held = holdTransfer(125_000);
    Got got = held.answer();
    assertThat(got.header("location")).isEqualTo("/held/" + held.id());
    assertThat(got.header("retry-after")).isNotBlank();
    assertThat(got.text("/verdict")).isEqualTo("REQUIRE_WITNESS");
    assertThat(got.at("/generation").asInt()).isEqualTo(1);
    for (String digest :
        new String[] {
          "/args_digest",
          "/call_digest",
          "/contract/digest",
          "/witness_request/call_digest",
          "/witness_request/contract_digest"
        }) {
      assertThat(got.text(digest)).as(digest).matches("sha256:[0-9a-f]{64}");
    }
    assertThat(got.text("/witness_request/call_digest")).isEqualTo(got.text("/call_digest"));
    assertThat(got.text("/witness_request/contract_digest"))
        .isEqualTo(got.text("/contract/digest"));
    assertThat(got.text("/contract/rule")).isEqualTo("human");
    assertThat(got.at("/contract/veto").isArray()).isTrue();
    assertThat(got.text("/witness_request/held_id")).isEqualTo(held.id());
    assertThat(got.at("/witness_request/generation").asInt()).isEqualTo(1);
    assertThat(got.at("/witness_request/routes/0"))
        .isEqualTo(Json.of("class", "human", "route", "inbox", "state", "requested"));
    assertThat(got.text("/witness_request/presentation/tool")).isEqualTo("money_transfer");
    assertThat(got.at("/witness_request/presentation/args/amount_minor").asInt())
        .isEqualTo(125_000);
    assertThat(got.text("/witness_request/presentation/disclosure")).isEqualTo("full");
    Instant expires = Instant.parse(got.text("/expires_at"));
    assertThat(Duration.between(Instant.now(), expires)).isBetween(min(9), min(11));
  }

  private static Duration min(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  @Test
  void anExecutedCallIsAnsweredWithItsResult() {
    Held held = call("act");
    Got got = held.answer().is(200);
    assertThat(got.text("/verdict")).isEqualTo("ALLOW");
    assertThat(got.text("/call_digest")).startsWith("sha256:");
    assertThat(got.at("/transforms").isArray()).isTrue();
    assertThat(got.text("/result/admission")).isEqualTo("admitted");
    assertThat(got.text("/result/outcome")).isEqualTo("succeeded");
    assertThat(got.at("/result/content/ok").asBoolean()).isTrue();
    assertThat(got.text("/result/content_digest")).startsWith("sha256:");
    assertThat(got.text("/delivery_id")).isEqualTo(held.id() + ".1");
    assertThat(held.delivery().path("result")).isEqualTo(got.at("/result"));
  }

  @Test
  void whatPolicyDeniesIsAnswered403WithItsReasons() {
    Held held = call("act", "rule", "deny");
    Got got = held.answer().isProblem(403, "denied");
    assertThat(got.text("/verdict")).isEqualTo("DENY");
    assertThat(got.at("/reasons/0"))
        .isEqualTo(Json.of("layer", "floor", "rule", "forbidden", "message", "this is never done"));
    assertThat(got.text("/held_id")).startsWith("hc_");
    assertThat(held.delivery().at("/refusal/reason").asText()).contains("this is never done");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void whatEveryLayerDefersIsAnswered403Indeterminate() {
    Held held = call("no_rule");
    assertThat(held.answer().isProblem(403, "denied").text("/verdict")).isEqualTo("INDETERMINATE");
    assertThat(held.answer().at("/reasons")).isNotEmpty();
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void aConditionThatFailsToEvaluateDenies() {
    Held held = call("broken_rule");
    Got got = held.answer().isProblem(403, "denied");
    assertThat(got.text("/verdict")).isEqualTo("DENY");
    assertThat(got.text("/reasons/0/rule")).isEqualTo("breaks");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void theCapabilityFloorIsDefaultDeny() {
    for (Held held : new Held[] {call("guarded"), propose(as("poor"), proposal("act"))}) {
      Got got = held.answer().isProblem(403, "denied");
      assertThat(got.text("/verdict")).isEqualTo("DENY");
      assertThat(got.text("/reasons/0/message")).contains("capability");
      assertThat(tools.requests(held.id())).isEmpty();
    }
  }

  @Test
  void anUnknownToolAndArgumentsThatBreakTheSchemaAreToldApart() {
    var _ = call("no_such_tool").answer().isProblem(404, "unknown-tool");
    ObjectNode broken = transfer(session(), "c-1", 500);
    ((ObjectNode) broken.path("args")).put("amount_minor", "five").put("extra", 1);
    Got got = agent.post("/tool-calls", broken).isProblem(422, "args-schema");
    assertThat(got.at("/errors")).hasSizeGreaterThanOrEqualTo(2);
    assertThat(got.at("/errors").toString())
        .contains("\"/args/amount_minor\"")
        .contains("\"message\"");
    var _ = agent.get("/held/" + got.text("/held_id")).status();
  }

  @Test
  void aMisspeltFieldIsNotIgnored() {
    ObjectNode proposal = proposal("act");
    var _ =
        agent
            .post("/tool-calls", proposal.deepCopy().put("depends_onn", "x"))
            .isProblem(422, "unknown-field");
    var _ =
        agent
            .post("/tool-calls", preferring(proposal.deepCopy(), "requires", "human"))
            .isProblem(422, "unknown-field");
    for (String field : new String[] {"session_id", "turn_id", "call_id", "tool", "args"}) {
      ObjectNode without = proposal.deepCopy();
      without.remove(field);
      Got got = agent.post("/tool-calls", without).isProblem(422, "invalid-field");
      assertThat(got.text("/errors/0/pointer")).isEqualTo("/" + field);
    }
  }

  @Test
  void whoIsNoAgentProposesNothing() {
    for (String id : new String[] {"alice", "operator", "owner", "worker"}) {
      var _ = as(id).post("/tool-calls", proposal("act")).isProblem(403, "forbidden");
    }
    Got got = node.as("nobody").post("/tool-calls", proposal("act"));
    assertThat(got.isProblem(401, "unauthorized").header("www-authenticate")).startsWith("Bearer");
  }

  @Test
  void theProposersOwnDemandNarrowsAnAllowedCall() {
    Held held = propose(agent, preferring(proposal("act"), "require", "human & ci"));
    Got got = held.answer().is(202);
    assertThat(got.text("/verdict")).isEqualTo("REQUIRE_WITNESS");
    assertThat(tools.requests(held.id())).isEmpty();
    var _ = held.approve(alice).is(202);
    assertThat(tools.requests(held.id())).isEmpty();
    var _ = held.attest(as("ci"), held.attestation("c-1", "ci", "approve")).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    var _ =
        agent
            .post("/tool-calls", preferring(proposal("act"), "require", "human &"))
            .isProblem(422, "invalid-field");
  }

  @Test
  void theProposersOwnTimeoutCapsTheContracts() {
    Held held = propose(agent, preferring(proposal("act", "rule", "human"), "timeout_s", 60));
    Instant expires = Instant.parse(held.answer().is(202).text("/expires_at"));
    assertThat(Duration.between(Instant.now(), expires)).isBetween(Duration.ZERO, min(1));
    ObjectNode longer = transfer(session(), "c-1", 125_000);
    Got capped = agent.post("/tool-calls", preferring(longer, "timeout_s", 86_400)).is(202);
    assertThat(Duration.between(Instant.now(), Instant.parse(capped.text("/expires_at"))))
        .isBetween(min(9), min(10));
  }

  @Test
  void aProposalThatWaitsIsAnsweredWithTheResultOnceItIsThere() {
    ObjectNode proposal = preferring(proposal("act", "rule", "human"), "wait_ms", 40_000);
    var waiting = agent.postSoon("/tool-calls", proposal);
    Held held =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(
                () -> {
                  String session = proposal.path("session_id").asText();
                  JsonNode calls = agent.get("/sessions/" + session).at("/calls");
                  return calls.isEmpty() ? null : propose(agent, withoutWait(proposal));
                },
                found -> found != null);
    var _ = held.approve(alice).is(202);
    Got answered = waiting.join().is(200);
    assertThat(answered.text("/result/outcome")).isEqualTo("succeeded");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  private static ObjectNode withoutWait(ObjectNode proposal) {
    ObjectNode same = proposal.deepCopy();
    same.set("preferences", Json.of("wait_ms", 0));
    return same;
  }

  @Test
  void aWaitThatEndsIsAnswered202() {
    Got got =
        agent.post("/tool-calls", preferring(proposal("act", "rule", "human"), "wait_ms", 50));
    assertThat(got.is(202).text("/verdict")).isEqualTo("REQUIRE_WITNESS");
    var _ =
        agent
            .post("/tool-calls", preferring(proposal("act"), "wait_ms", 60_001))
            .isProblem(422, "invalid-field");
  }

  @Test
  void gatesNeedNoRegistryEntryAndReleaseTheirContentUnchanged() {
    for (String boundary : new String[] {"plan", "round", "dispatch"}) {
      ObjectNode free = proposal("gate_free", "plan", "a");
      Got got = agent.post("/tool-calls", free.put("boundary", boundary)).is(200);
      assertThat(got.at("/result/content")).isEqualTo(Json.of("plan", "a"));

      ObjectNode gate = proposal("gate_held", "steps", java.util.List.of(1, 2));
      Held held = propose(agent, gate.put("boundary", boundary));
      assertThat(held.answer().is(202).text("/verdict")).isEqualTo("REQUIRE_WITNESS");
      var _ = held.approve(alice).is(202);
      assertThat(held.delivery().at("/result/content")).isEqualTo(gate.path("args"));
      assertThat(held.read().text("/boundary")).isEqualTo(boundary);

      Held refused = propose(agent, proposal("gate_held").put("boundary", boundary));
      var _ = refused.deny(alice).is(202);
      assertThat(refused.delivery().at("/refusal/kind").asText()).isEqualTo("denied");
    }
    var _ =
        agent
            .post("/tool-calls", proposal("gate_free").put("boundary", "turn"))
            .isProblem(422, "invalid-field");
  }

  @Test
  void anIdempotencyKeyIsForOneIdentityOnly() {
    ObjectNode proposal = proposal("act");
    String key = session() + "-key";
    Got first = agent.post("/tool-calls", proposal, "Idempotency-Key", key).is(200);
    Got again = agent.post("/tool-calls", proposal, "Idempotency-Key", key).is(200);
    assertThat(again.json()).isEqualTo(first.json());
    Got reused = agent.post("/tool-calls", proposal("act"), "Idempotency-Key", key);
    var _ = reused.isProblem(422, "idempotency-key-reuse");
    var _ = as("agent-2").post("/tool-calls", proposal("act"), "Idempotency-Key", key).is(200);
  }
}
