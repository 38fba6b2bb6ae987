package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools that the client runs itself, under a lease (the HTTP contract, section 5). */
@ParameterizedClass
@EnumSource(Engine.class)
class ClientExecutionTest extends ProductTest {

  private static final ObjectNode LEASE = Json.of("generation", 1, "worker", "w-1");

  ClientExecutionTest(Engine engine) {
    super(engine);
  }

  private Held approved(String tool) {
    Held held = hold(tool);
    var _ = held.approve(alice).is(202);
    return held;
  }

  @Test
  void anAllowedClientCallWaitsForAWorker() {
    Held held = call("by_client");
    Got answer = held.answer().is(202);
    assertThat(answer.text("/verdict")).isEqualTo("ALLOW");
    assertThat(answer.at("/contract").isNull()).isTrue();
    assertThat(answer.at("/witness_request").isNull()).isTrue();
    assertThat(held.read().text("/phase")).isEqualTo("READY_FOR_LEASE");
  }

  @Test
  void beforeTheEvidenceThereIsNoLease() {
    Held held = hold("by_client");
    var _ = held.lease(agent).isProblem(409, "not-ready");
    assertThat(held.read().text("/status/execution")).isEqualTo("none");
  }

  @Test
  void aLeaseNamesEverythingAndItsOutcomeIsDelivered() {
    Held held = approved("by_client");
    Got lease = held.lease(agent).is(200);
    assertThat(lease.text("/lease_id")).isNotBlank();
    assertThat(lease.text("/fencing_token")).isNotBlank();
    assertThat(lease.text("/idempotency_key")).isEqualTo(held.id() + ".1");
    assertThat(lease.text("/permit").split("\\.", -1)).hasSize(3);
    assertThat(Instant.parse(lease.text("/deadline"))).isAfter(Instant.now());
    assertThat(held.read().text("/phase")).isEqualTo("LEASED");

    String id = lease.text("/lease_id");
    var _ = held.outcome(agent, id, "succeeded", Json.of("did", "it")).is(200);
    var _ = held.outcome(agent, id, "succeeded", Json.of("did", "it")).is(200);
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/result/content/did").asText()).isEqualTo("it");
    assertThat(held.outcome(agent, id, "failed", Json.of("did", "not")).status()).isEqualTo(409);
    assertThat(held.deliveries()).hasSize(1);
    assertThat(held.events("outcome-recorded")).isEqualTo(1);
  }

  @Test
  void rule14_onlyTheProposerOrAWorkerOfItsProjectTakesTheLease() {
    Held held = approved("by_client");
    for (String id : new String[] {"agent-2", "alice", "operator"}) {
      var _ = held.lease(as(id)).isProblem(403, "forbidden");
    }
    var _ = held.lease(node.as("other-worker")).isProblem(404, "not-found");
    Caller worker = as("worker");
    Got lease = held.lease(worker).is(200);
    String id = lease.text("/lease_id");
    assertThat(held.outcome(agent, id, "succeeded", Json.of()).status()).isEqualTo(403);
    var _ = held.outcome(worker, id, "succeeded", Json.of("n", 1)).is(200);
    assertThat(held.delivery().at("/result/content/n").asInt()).isEqualTo(1);
  }

  @Test
  void rule14_theSameKeyGetsTheSameLeaseAgainAndAnotherIsLeased() {
    Held held = approved("by_client");
    String path = held.path() + "/lease";
    Got first = agent.post(path, LEASE, "Idempotency-Key", "k-1").is(200);
    Got again = agent.post(path, LEASE, "Idempotency-Key", "k-1").is(200);
    assertThat(again.json()).isEqualTo(first.json());
    var _ = agent.post(path, LEASE, "Idempotency-Key", "k-2").isProblem(409, "leased");
    var _ = agent.post(path, LEASE).isProblem(409, "leased");
    assertThat(held.events("lease-granted")).isEqualTo(1);
  }

  @Test
  void field28_twoResumersAskAtTheSameMomentAndOneGetsTheLease() {
    Held held = approved("by_client");
    List<CompletableFuture<Got>> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      asked.add(agent.postSoon(held.path() + "/lease", LEASE));
    }
    List<Got> answers = asked.stream().map(CompletableFuture::join).toList();
    assertThat(answers).filteredOn(each -> each.status() == 200).hasSize(1);
    assertThat(answers).filteredOn(each -> each.status() == 409).hasSize(9);
    assertThat(held.events("lease-granted")).isEqualTo(1);
  }

  @Test
  void rule14_aClientLeaseIsADispatch() {
    Held held = approved("by_client");
    var _ = held.lease(agent).is(200);
    Got cancel = held.cancel("too late").isProblem(409, "effect-dispatched");
    assertThat(cancel.text("/execution")).isEqualTo("leased");
    var _ = held.edit(1, Json.of("x", 1)).isProblem(409, "effect-dispatched");
    var _ = held.approve(bob).isProblem(409, "stale");
    var _ =
        alice
            .post(held.path() + "/attestations/a-acme-alice/revoke", Json.of("reason", "no"))
            .isProblem(409, "too-late");
    assertThat(held.read().text("/status/lifecycle")).isEqualTo("open");
  }

  @Test
  void aLeaseOfAnotherGenerationIsStale() {
    Held held = approved("by_client");
    var _ =
        agent
            .post(held.path() + "/lease", Json.of("generation", 2, "worker", "w"))
            .isProblem(409, "stale");
  }

  @Test
  void anOutcomeUnderALeaseThatIsNotThereIsLost() {
    Held held = approved("by_client");
    var _ = held.outcome(agent, "ls_nothing", "succeeded", Json.of()).isProblem(409, "lease-lost");
    assertThat(held.read().text("/status/execution")).isEqualTo("none");
  }

  @Test
  void aLeaseThatEndsWithoutAnOutcomeIsUnknownUntilTheWorkersLateReport() {
    Held held = approved("by_brief_client");
    String id = held.lease(agent).is(200).text("/lease_id");
    var _ = held.until("/status/execution", "outcome-unknown");
    assertThat(held.read().text("/phase")).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(held.lease(agent).status()).isEqualTo(409);
    var _ = held.outcome(agent, id, "succeeded", Json.of("late", true)).is(200);
    assertThat(held.delivery().at("/result/content/late").asBoolean()).isTrue();
  }

  @Test
  void rule05_anEffectReportedAfterAProofOfNoEffectIsRecordedAndRefused() {
    Held held = approved("by_brief_client");
    String id = held.lease(agent).is(200).text("/lease_id");
    var _ = held.until("/status/execution", "outcome-unknown");
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () -> held.resolve(operator, Json.of("outcome", "no-effect")),
            got -> got.status() == 200);
    var _ = held.outcome(agent, id, "succeeded", Json.of("late", 1)).isProblem(409, "lease-lost");
    assertThat(held.events("late-effect-reported")).isEqualTo(1);
    assertThat(held.delivery().at("/refusal/kind").asText()).isEqualTo("cancelled");
  }

  @Test
  void aToolOfTheKernelsExecutorIsLeasedToNobody() {
    Held held = hold("act");
    var _ = held.lease(agent).isProblem(409, "not-ready");
  }
}
