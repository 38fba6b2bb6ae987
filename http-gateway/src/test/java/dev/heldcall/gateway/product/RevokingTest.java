package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Taking evidence back, and the bookkeeping of what was refused. */
@ParameterizedClass
@EnumSource(Engine.class)
class RevokingTest extends ProductTest {

  /** {@code max-refused-attestations} of the node. */
  private static final int BOUND = 30;

  RevokingTest(Engine engine) {
    super(engine);
  }

  private static Got revoke(Held held, Caller by, String id) {
    return by.post(
        held.path() + "/attestations/" + id + "/revoke", Json.of("reason", "on second thoughts"));
  }

  private Held satisfiedClientCall() {
    Held held = propose(agent, proposal("by_client", "rule", "human"));
    var _ = held.attest(alice, held.attestation("a-1", "human", "approve")).is(202);
    return held;
  }

  @Test
  void theWitnessTakesItsApprovalBackAndNothingIsReleased() {
    Held held = satisfiedClientCall();
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = revoke(held, alice, "a-1").is(200);
    var _ = revoke(held, alice, "a-1").is(200);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(call.text("/status/evidence/0/state")).isEqualTo("revoked");
    assertThat(held.events("attestation-revoked")).isEqualTo(1);
    var _ =
        agent
            .post(held.path() + "/lease", Json.of("generation", 1, "worker", "w"))
            .isProblem(409, "not-ready");
  }

  @Test
  void anOperatorMayRevokeAndAnotherWitnessMayNot() {
    Held held = satisfiedClientCall();
    var _ = revoke(held, bob, "a-1").isProblem(403, "forbidden");
    var _ = revoke(held, agent, "a-1").isProblem(403, "forbidden");
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = revoke(held, operator, "a-1").is(200);
    assertThat(held.read().text("/status/readiness")).isEqualTo("unsatisfied");
    var _ = revoke(held, alice, "nothing").isProblem(404, "not-found");
  }

  @Test
  void afterTheDispatchItIsTooLateAndOnRecord() {
    Held held = hold("act");
    var _ = held.attest(alice, held.attestation("a-1", "human", "approve")).is(202);
    var _ = held.delivery();
    var _ = revoke(held, alice, "a-1").isProblem(409, "too-late");
    assertThat(held.history().toString()).contains("on second thoughts");
    assertThat(held.read().text("/status/evidence/0/state")).isEqualTo("valid");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void rule15_anAttestationIdIsUniqueOverAllGenerations() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    ObjectNode first = held.attestation("a-1", "human", "approve");
    var _ = held.attest(alice, first).is(202);
    var _ = held.edit(1, Json.of("rule", "two", "new", true)).is(202);
    ObjectNode reused = held.attestationNow("a-1", "human", "approve");
    var _ = held.attest(alice, reused).isProblem(409, "attestation-conflict");
    assertThat(held.attest(alice, first).is(200).text("/disposition")).isEqualTo("duplicate");
  }

  @Test
  void rule15_aRefusedAttestationDoesNotTakeItsId() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    ObjectNode wrong = held.attestation("a-1", "human", "approve").put("generation", 7);
    var _ = held.attest(alice, wrong).isProblem(409, "stale");
    var _ = held.attest(alice, held.attestation("a-1", "human", "approve")).is(202);
  }

  @Test
  void rule15_duplicateIsJudgedBeforeStaleAndStaleBeforeInvalid() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    ObjectNode first = held.attestation("a-1", "human", "approve");
    var _ = held.attest(alice, first).is(202);
    var _ = held.cancel("enough").is(200);
    assertThat(held.attest(alice, first).is(200).text("/disposition")).isEqualTo("duplicate");
    ObjectNode staleAndInvalid = held.attestation("a-2", "compliance", "approve");
    var _ = held.attest(bob, staleAndInvalid).isProblem(409, "stale");
  }

  @Test
  void rule15_refusalsAreRecordedUpToABoundAndThenAnswered429() {
    Held held = hold("act");
    ObjectNode stale = held.attestation("a-1", "human", "approve").put("generation", 9);
    for (int i = 0; i < BOUND; i++) {
      var _ = held.attest(alice, stale).isProblem(409, "stale");
    }
    Got bound = held.attest(alice, stale).isProblem(429, "too-many-refusals");
    assertThat(bound.header("retry-after")).isNotBlank();
    assertThat(held.events("attestation-refused")).isEqualTo(BOUND);
    Got call = held.read();
    assertThat(call.at("/status/refusals")).hasSize(20);
    assertThat(call.at("/status/refusals_left_out").asInt()).isEqualTo(BOUND - 20);
    var _ = held.approve(alice).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }
}
