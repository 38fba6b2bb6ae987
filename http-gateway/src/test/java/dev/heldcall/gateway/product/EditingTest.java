package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A change of a call is a new generation, and what was said of the old one counts no more. */
@ParameterizedClass
@EnumSource(Engine.class)
class EditingTest extends ProductTest {

  EditingTest(Engine engine) {
    super(engine);
  }

  @Test
  void field02_aPersonApprovedOneValueAndTheAgentProducedAnother() {
    Held held = propose(agent, proposal("act", "rule", "two", "amount", 1));
    ObjectNode ofFirst = held.attestation("a-1", "human", "approve");
    var _ = held.attest(alice, ofFirst).is(202);
    Got edited = held.edit(1, Json.of("rule", "two", "amount", 2)).is(202);
    assertThat(edited.at("/generation").asInt()).isEqualTo(2);
    assertThat(edited.text("/call_digest")).isNotEqualTo(held.answer().text("/call_digest"));
    assertThat(edited.header("location")).isEqualTo(held.path());
    assertThat(held.read().text("/status/evidence/0/state")).isEqualTo("stale");

    var _ = held.attest(bob, held.attestation("b-1", "human", "approve")).isProblem(409, "stale");
    assertThat(tools.requests(held.id())).isEmpty();

    var _ = held.attest(alice, held.attestationNow("a-2", "human", "approve")).is(202);
    assertThat(tools.requests(held.id())).isEmpty();
    var _ = held.attest(bob, held.attestationNow("b-2", "human", "approve")).is(202);
    var _ = held.delivery();
    assertThat(tools.requests(held.id())).hasSize(1);
    ToolServer.Seen seen = tools.requests(held.id()).getFirst();
    assertThat(seen.body()).isEqualTo("{\"amount\":2,\"rule\":\"two\"}");
    assertThat(seen.key()).isEqualTo(held.id() + ".2");
    assertThat(seen.header("Heldcall-call-digest")).isEqualTo(edited.text("/call_digest"));
  }

  @Test
  void theProposalOfTheEditedCallAnswersAsTheCallStands() {
    ObjectNode proposal = proposal("act", "rule", "human", "amount", 1);
    Held held = propose(agent, proposal);
    var _ = held.edit(1, Json.of("rule", "human", "amount", 2)).is(202);
    Got again = agent.post("/tool-calls", proposal).is(202);
    assertThat(again.at("/generation").asInt()).isEqualTo(2);
  }

  @Test
  void anEditIntoWhatPolicyAllowsRunsIt() {
    Held held = hold("act", "amount", 1);
    Got done = held.edit(1, Json.of("amount", 2)).is(200);
    assertThat(done.text("/verdict")).isEqualTo("ALLOW");
    assertThat(done.text("/delivery_id")).isEqualTo(held.id() + ".2");
    assertThat(tools.requests(held.id()).getFirst().body()).isEqualTo("{\"amount\":2}");
  }

  @Test
  void anEditIntoWhatPolicyForbidsEndsIt() {
    Held held = hold("act");
    Got denied = held.edit(1, Json.of("rule", "deny")).isProblem(403, "denied");
    assertThat(denied.text("/verdict")).isEqualTo("DENY");
    assertThat(denied.text("/reasons/0/message")).isEqualTo("this is never done");
    assertThat(held.delivery().at("/refusal/kind").asText()).isEqualTo("denied");
  }

  @Test
  void anEditOfAnotherGenerationIsStaleAndOneByOthersForbidden() {
    Held held = hold("act");
    var _ = held.edit(2, Json.of("rule", "human")).isProblem(409, "stale");
    ObjectNode edit = Json.of("generation", 1, "args", Json.of("rule", "human", "x", 1));
    var _ = as("agent-2").post(held.path() + "/edit", edit).isProblem(403, "forbidden");
    var _ = alice.post(held.path() + "/edit", edit).isProblem(403, "forbidden");
    var _ = node.as("other-agent").post(held.path() + "/edit", edit).isProblem(404, "not-found");
    var _ =
        agent
            .post(held.path() + "/edit", edit.deepCopy().put("why", 1))
            .isProblem(422, "unknown-field");
    assertThat(held.read().at("/status/intent_generation").asInt()).isEqualTo(1);
  }

  @Test
  void anEditIsHeldToTheToolsSchemaAndRegistry() {
    Held held = holdTransfer(125_000);
    Got broken = held.edit(1, Json.of("amount_minor", "many")).isProblem(422, "args-schema");
    assertThat(broken.at("/errors")).isNotEmpty();
    var _ =
        agent
            .post(held.path() + "/edit", Json.of("generation", 1, "tool", "no_such_tool"))
            .isProblem(404, "unknown-tool");
    assertThat(held.read().at("/status/intent_generation").asInt()).isEqualTo(1);
  }

  @Test
  void rule01_anEditAfterTheDispatchIsRefused() {
    String gate = session();
    Held held = hold("act", "do", "gate", "gate", gate);
    var _ = held.approve(alice).is(202);
    awaitRequests(held, 1);
    Got refused = held.edit(1, Json.of("x", 1)).isProblem(409, "effect-dispatched");
    assertThat(refused.text("/execution")).isEqualTo("leased");
    tools.open(gate);
    var _ = held.delivery();
    var _ = held.edit(1, Json.of("x", 1)).isProblem(409, "effect-dispatched");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void rule01_anEditWhileTheOutcomeIsUnknownIsRefused() {
    Held held = hold("act", "do", "cut");
    var _ = held.approve(alice).is(202);
    var _ = held.until("/status/execution", "outcome-unknown");
    Got refused = held.edit(1, Json.of("x", 1)).isProblem(409, "effect-dispatched");
    assertThat(refused.text("/execution")).isEqualTo("outcome-unknown");
  }

  @Test
  void rule01_anEditAfterALeaseProvenWithoutEffectIsTaken() {
    Held held = hold("dead");
    var _ = held.approve(alice).is(202);
    var _ =
        held.until(
            call ->
                call.path("attempt").asInt() == 1
                    && call.at("/status/execution").asText().equals("none"));
    Got edited = held.edit(1, Json.of("rule", "human", "x", 1)).is(202);
    assertThat(edited.at("/generation").asInt()).isEqualTo(2);
    assertThat(held.read().text("/status/readiness")).isIn("stale", "unsatisfied");
    var _ = held.cancel("enough").is(200);
  }

  @Test
  void anEndedCallIsNotEdited() {
    Held held = hold("act");
    var _ = held.cancel("enough").is(200);
    assertThat(held.edit(1, Json.of("x", 1)).status()).isEqualTo(409);
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void rule10_anEditNeverExtendsTheExpiry() {
    ObjectNode proposal = proposal("act", "rule", "human");
    proposal.set("preferences", Json.of("timeout_s", 600));
    Held held = propose(agent, proposal);
    Got edited = held.edit(1, Json.of("rule", "human", "x", 1)).is(202);
    assertThat(edited.text("/expires_at")).isEqualTo(held.answer().text("/expires_at"));
  }
}
