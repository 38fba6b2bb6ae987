package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What witnesses may say, and what of it counts (the HTTP contract, section 3). */
@ParameterizedClass
@EnumSource(Engine.class)
class AttestingTest extends ProductTest {

  private static final String OTHER_DIGEST = "sha256:" + "0".repeat(64);

  AttestingTest(Engine engine) {
    super(engine);
  }

  private static void assertRefused(Got got, int status, String slug, String disposition) {
    assertThat(got.isProblem(status, slug).text("/disposition")).isEqualTo(disposition);
    assertThat(got.text("/reason")).isNotBlank();
    assertThat(got.at("/held_id").isTextual()).isTrue();
    assertThat(got.json().has("attestation_id")).isTrue();
  }

  private void assertNothingReleased(Held held) {
    Got now = held.read();
    assertThat(now.text("/phase")).isEqualTo("HELD");
    assertThat(now.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(now.at("/status/evidence")).isEmpty();
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void anAcceptedAttestationIsAnsweredAndShown() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    Got got = held.attest(alice, held.attestation("a-1", "human", "approve")).is(202);
    assertThat(got.text("/disposition")).isEqualTo("accepted-for-verification");
    assertThat(got.text("/held_id")).isEqualTo(held.id());
    assertThat(got.text("/attestation_id")).isEqualTo("a-1");
    assertThat(got.json().has("reason")).isTrue();

    Got call = held.read();
    ObjectNode shown = (ObjectNode) call.at("/status/evidence/0");
    assertThat(shown.path("attestation_id").asText()).isEqualTo("a-1");
    assertThat(shown.path("generation").asInt()).isEqualTo(1);
    assertThat(shown.path("class").asText()).isEqualTo("human");
    assertThat(shown.path("witness").asText()).isEqualTo("alice");
    assertThat(shown.path("decision").asText()).isEqualTo("approve");
    assertThat(shown.path("state").asText()).isEqualTo("valid");
    assertThat(shown.path("reason").asText()).isEqualTo("approve of a-1");
    assertThat(shown.path("expires_at").asText()).endsWith("Z");
    assertThat(call.text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
  }

  @Test
  void withoutOneOfItsBindingsItReleasesNothing() {
    for (String field : new String[] {"generation", "call_digest", "contract_digest"}) {
      Held held = hold("act");
      ObjectNode without = held.attestation("a-1", "human", "approve");
      without.remove(field);
      Got got = held.attest(alice, without);
      assertRefused(got, 422, "invalid", "invalid");
      assertThat(got.text("/errors/0/pointer")).isEqualTo("/" + field);
      assertNothingReleased(held);
    }
  }

  @Test
  void nothingIsDefaultedForTheWitness() {
    for (String field :
        new String[] {"attestation_id", "witness_class", "decision", "issued_at", "expires_at"}) {
      Held held = hold("act");
      ObjectNode without = held.attestation("a-1", "human", "approve");
      without.remove(field);
      assertRefused(held.attest(alice, without), 422, "invalid", "invalid");
      assertNothingReleased(held);
    }
  }

  @Test
  void boundToSomethingElseItIsStale() {
    Held held = hold("act");
    ObjectNode good = held.attestation("a-1", "human", "approve");
    assertRefused(
        held.attest(alice, good.deepCopy().put("call_digest", OTHER_DIGEST)),
        409,
        "stale",
        "stale");
    assertRefused(
        held.attest(alice, good.deepCopy().put("contract_digest", OTHER_DIGEST)),
        409,
        "stale",
        "stale");
    assertRefused(held.attest(alice, good.deepCopy().put("generation", 2)), 409, "stale", "stale");
    assertNothingReleased(held);
    assertThat(held.events("attestation-refused")).isEqualTo(3);
  }

  @Test
  void anExpiryThatIsPastOrMalformedIsNoExpiryAtAll() {
    Held held = hold("act");
    ObjectNode good = held.attestation("a-1", "human", "approve");
    String past = Instant.now().minusSeconds(60).toString();
    for (String expiry : new String[] {past, "tomorrow", "", "2099-13-40T00:00:00Z"}) {
      assertRefused(
          held.attest(alice, good.deepCopy().put("expires_at", expiry)), 422, "invalid", "invalid");
    }
    assertRefused(
        held.attest(alice, good.deepCopy().putNull("expires_at")), 422, "invalid", "invalid");
    assertNothingReleased(held);
  }

  @Test
  void aClassThatTheTokenDoesNotHoldIsInvalid() {
    Held held = hold("act");
    assertRefused(
        held.attest(as("ci"), held.attestation("a-1", "human", "approve")),
        422,
        "invalid",
        "invalid");
    assertRefused(
        held.attest(alice, held.attestation("a-2", "compliance", "approve")),
        422,
        "invalid",
        "invalid");
    assertNothingReleased(held);
  }

  @Test
  void field12_theAgentApprovesItsOwnCall() {
    Caller both = as("both");
    Held held = propose(both, proposal("act", "rule", "human"));
    assertRefused(held.approve(both), 422, "invalid", "invalid");
    assertNothingReleased(held);
    var _ = held.approve(alice).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void field12_theAgentsDelegateApprovesItsCall() {
    Held held = hold("act");
    assertRefused(held.approve(as("delegate")), 422, "invalid", "invalid");
    assertNothingReleased(held);
  }

  @Test
  void field11_whoIsNoWitnessIsRefusedAndTheRefusalIsAudited() {
    Held held = hold("act");
    ObjectNode approval = held.attestation("a-1", "human", "approve");
    var _ = held.attest(agent, approval).isProblem(403, "forbidden");
    var _ = held.attest(operator, approval).isProblem(403, "forbidden");
    assertNothingReleased(held);
    assertThat(held.events("attestation-refused")).isEqualTo(2);
    assertThat(held.history().toString()).contains("\"operator\"");
  }

  @Test
  void field11_theAuditNamesTheTokenAndNotWhomTheBodyClaims() {
    Held held = hold("act");
    ObjectNode claims = held.attestation("a-1", "human", "approve").put("witness", "bob");
    var _ = held.attest(alice, claims).isProblem(422, "unknown-field");
    assertNothingReleased(held);
    var _ = held.attest(alice, held.attestation("a-1", "human", "approve")).is(202);
    assertThat(held.until("/execution", "").text("/status/evidence/0/witness")).isEqualTo("alice");
  }

  @Test
  void anotherOrganizationsWitnessFindsNoCall() {
    Held held = hold("act");
    Caller stranger = node.as(Cast.OTHER + "-alice");
    var _ = held.approve(stranger).isProblem(404, "not-found");
    assertNothingReleased(held);
  }

  @Test
  void field06_oneClickIsDeliveredThreeTimesAndActsOnce() {
    Held held = hold("act");
    ObjectNode click = held.attestation("click-7", "human", "approve");
    var _ = held.attest(alice, click).is(202);
    Got second = held.attest(alice, click).is(200);
    Got third = held.attest(alice, click).is(200);
    assertThat(second.text("/disposition")).isEqualTo("duplicate");
    assertThat(third.text("/disposition")).isEqualTo("duplicate");
    var _ = held.delivery();
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void theSameIdWithAnotherContentIsAConflict() {
    Held held = propose(agent, proposal("act", "rule", "two"));
    ObjectNode first = held.attestation("a-1", "human", "approve");
    var _ = held.attest(alice, first).is(202);
    assertRefused(
        held.attest(alice, first.deepCopy().put("decision", "deny")),
        409,
        "attestation-conflict",
        "invalid");
    assertRefused(held.attest(bob, first), 409, "attestation-conflict", "invalid");
    assertThat(held.read().at("/status/evidence")).hasSize(1);
  }

  @Test
  void field26_everyUnauthorizedClickGetsADefiniteAnswer() {
    Held held = hold("act");
    Caller nobody = node.as("no-such-token");
    Got refused = held.approve(nobody).isProblem(401, "unauthorized");
    assertThat(refused.header("www-authenticate")).startsWith("Bearer");
    for (String id : new String[] {"agent-2", "owner", "worker"}) {
      var _ = held.approve(as(id)).isProblem(403, "forbidden");
    }
    assertNothingReleased(held);
  }

  @Test
  void field27_anApprovalThatExpiresBeforeTheLeaseReleasesNothing() {
    Held held = propose(agent, proposal("by_client", "rule", "human"));
    ObjectNode brief = held.attestation("a-1", "human", "approve");
    brief.put("expires_at", Instant.now().plusMillis(1_500).toString());
    var _ = held.attest(alice, brief).is(202);
    Got expired = held.until("/status/evidence/0/state", "expired");
    assertThat(expired.text("/status/readiness")).isEqualTo("unsatisfied");
    var _ =
        agent
            .post(held.path() + "/lease", Json.of("generation", 1, "worker", "w"))
            .isProblem(409, "not-ready");
  }
}
