package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of more than one witness, and of time (the design, witness rule and clock). */
@ParameterizedClass
@EnumSource(Engine.class)
class WitnessRuleTest extends ProductTest {

  WitnessRuleTest(Engine engine) {
    super(engine);
  }

  private Held held(String rule) {
    Held held = call("act", "rule", rule);
    var _ = held.answer().is(202);
    return held;
  }

  @Test
  void twoOfAQuorumAreTwoPeople() {
    Held held = held("two");
    var _ = held.approve(alice).is(202);
    var _ = held.attest(alice, held.attestation("a-again", "human", "approve")).is(202);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(call.text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    assertThat(tools.requests(held.id())).isEmpty();
    var _ = held.approve(bob).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void aDenyOutweighsTheSameWitnessesApproveUntilItIsRevoked() {
    ObjectNode proposal = proposal("by_client", "rule", "lenient");
    Held held = propose(agent, proposal);
    var _ = held.approve(alice).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = held.deny(alice).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("refuted");
    var _ = held.lease(agent).isProblem(409, "not-ready");
    var _ = alice.post(held.path() + "/attestations/d-acme-alice/revoke").is(200);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = held.lease(agent).is(200);
  }

  @Test
  void aRefutedCallThatHoldsWaitsOnAndRunsNothing() {
    Held held = held("lenient");
    var _ = held.deny(alice).is(202);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("refuted");
    assertThat(call.text("/status/lifecycle")).isEqualTo("open");
    assertThat(call.text("/status/witness_rule/value")).isEqualTo("false");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void rule13_refutedIsTerminalAndALaterRevocationTooLate() {
    Held held = held("human");
    var _ = held.deny(alice).is(202);
    var _ = held.until("/status/lifecycle", "denied");
    var _ =
        alice
            .post(held.path() + "/attestations/d-acme-alice/revoke", Json.of("reason", "oops"))
            .isProblem(409, "too-late");
    assertThat(held.history().toString()).contains("oops");
    var _ = held.approve(bob).isProblem(409, "stale");
    assertThat(held.read().text("/status/lifecycle")).isEqualTo("denied");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void oneValidDenyOfAVetoClassRefutesTheCall() {
    Held held = held("veto");
    var _ = held.approve(alice).is(202);
    var _ = held.attest(as("compliance"), held.attestation("v-1", "compliance", "deny")).is(202);
    var _ = held.until("/status/lifecycle", "denied");
    assertThat(held.delivery().at("/refusal/by").asText()).isEqualTo("compliance");
    var _ = held.approve(bob).isProblem(409, "stale");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void aQuorumThatCanNoLongerComeTrueIsRefuted() {
    Held held = held("two");
    var _ = held.deny(alice).is(202);
    var _ = held.until("/status/lifecycle", "denied");
    assertThat(held.delivery().at("/refusal/reason").asText()).isEqualTo("deny of d-acme-alice");
  }

  @Test
  void field22_silenceEscalatesToOthersAndNeverIntoApproval() {
    Held held = held("fallback");
    assertThat(held.answer().at("/witness_request/routes").toString())
        .contains("\"ci\"")
        .doesNotContain("\"human\"");
    var _ = held.until(call -> call.path("explain").toString().contains("human"));
    Got opened =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(held::read, got -> held.events("fallback-opened") == 1);
    assertThat(opened.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(tools.requests(held.id())).isEmpty();
    var _ = held.approve(alice).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void rule12_evidenceForTheSecondRouteCountsWhenItOpens() {
    Held held = held("fallback");
    var _ = held.approve(alice).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(held.events("fallback-opened")).isEqualTo(1);
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void field17_anExpiredCallIsExpiredAndNoApprovalRevivesIt() {
    ObjectNode proposal = proposal("act", "rule", "human");
    proposal.set("preferences", Json.of("timeout_s", 1));
    Held held = propose(agent, proposal);
    var _ = held.answer().is(202);
    Got expired = held.until("/status/lifecycle", "expired");
    assertThat(expired.text("/phase")).isEqualTo("TERMINAL_NO_EFFECT");
    assertThat(expired.at("/explain").toString()).doesNotContain("waiting for");
    var _ = held.approve(alice).isProblem(409, "stale");
    assertThat(held.delivery().at("/refusal/kind").asText()).isEqualTo("expired");
    assertThat(held.delivery().at("/refusal/executed").asBoolean(true)).isFalse();
    assertThat(tools.requests(held.id())).isEmpty();
    assertThat(held.cancel("x").status()).isEqualTo(409);
    Got again = agent.post("/tool-calls", proposal).is(200);
    assertThat(again.text("/refusal/kind")).isEqualTo("expired");
  }

  @Test
  void field27_theApprovalCameJustInTimeAndTheCallMustNotRunAnHourLater() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "first", "by_client"));
    ObjectNode second = proposalIn(session, "second", "act", "rule", "human");
    second.set("depends_on", Json.tree("[\"" + first.id() + "\"]"));
    Held held = propose(agent, second);
    ObjectNode brief = held.attestation("a-1", "human", "approve");
    brief.put("expires_at", Instant.now().plusMillis(1_200).toString());
    var _ = held.attest(alice, brief).is(202);
    var _ = held.until("/status/evidence/0/state", "expired");
    String lease = first.lease(agent).is(200).text("/lease_id");
    var _ = first.outcome(agent, lease, "succeeded", Json.of()).is(200);
    var _ = held.until("/status/dependencies/" + first.id(), "satisfied");
    assertThat(held.read().text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void field04_severalApprovalsInAnyOrderEachReleaseTheirOwnCall() {
    String session = session();
    Held[] calls = new Held[6];
    for (int i = 0; i < calls.length; i++) {
      calls[i] = propose(agent, proposalIn(session, "c-" + i, "act", "rule", "human", "n", i));
    }
    for (int i : new int[] {4, 0, 5}) {
      var _ = calls[i].approve(alice).is(202);
    }
    var _ = calls[1].deny(bob).is(202);
    for (int i : new int[] {4, 0, 5}) {
      assertThat(calls[i].delivery().path("call_id").asText()).isEqualTo("c-" + i);
      assertThat(tools.requests(calls[i].id()).getFirst().body()).contains("\"n\":" + i);
    }
    assertThat(calls[1].delivery().path("kind").asText()).isEqualTo("refusal");
    for (int i : new int[] {2, 3}) {
      assertThat(calls[i].read().text("/phase")).isEqualTo("HELD");
      assertThat(tools.requests(calls[i].id())).isEmpty();
    }
  }

  @Test
  void field03_nothingIsRewrittenAfterTheApproval() {
    Held held = hold("act", "amount", 7);
    var _ = held.approve(alice).is(202);
    var _ = held.delivery();
    ToolServer.Seen seen = tools.requests(held.id()).getFirst();
    assertThat(seen.body()).isEqualTo("{\"amount\":7,\"rule\":\"human\"}");
    assertThat(seen.header("Heldcall-call-digest")).isEqualTo(held.answer().text("/call_digest"));
  }
}
