package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evidence that comes and goes before a lease, and evidence that all comes at once. */
@ParameterizedClass
@EnumSource(Engine.class)
class ChangingEvidenceTest extends ProductTest {

  ChangingEvidenceTest(Engine engine) {
    super(engine);
  }

  private Held held(String tool, String rule) {
    Held held = propose(agent, proposal(tool, "rule", rule));
    var _ = held.answer().is(202);
    return held;
  }

  private static Got revoke(Held held, Caller by, String id) {
    return by.post(held.path() + "/attestations/" + id + "/revoke", Json.of("reason", "no"));
  }

  @Test
  void aVetoAfterSatisfactionAndBeforeTheLeaseEndsTheCall() {
    Held held = held("by_client", "veto");
    var _ = held.approve(alice).is(202);
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = held.attest(as("compliance"), held.attestation("v-1", "compliance", "deny")).is(202);
    assertThat(held.read().text("/status/lifecycle")).isEqualTo("denied");
    assertThat(held.lease(agent).status()).isEqualTo(409);
    assertThat(held.events("lease-granted")).isZero();
    assertThat(held.delivery().at("/refusal/by").asText()).isEqualTo("compliance");
  }

  @Test
  void aVetoOfACallThatHoldsWaitsAndIsTakenBack() {
    Held held = held("by_client", "lenient-two");
    var _ = held.approve(alice).is(202);
    var _ = held.approve(bob).is(202);
    var _ = held.attest(as("compliance"), held.attestation("v-1", "compliance", "deny")).is(202);
    Got vetoed = held.read();
    assertThat(vetoed.text("/status/readiness")).isEqualTo("refuted");
    assertThat(vetoed.text("/explain/0"))
        .startsWith("refuted: veto of compliance by compliance (until ");
    assertThat(vetoed.at("/explain").toString()).contains("held although refuted");
    var _ = held.lease(agent).isProblem(409, "not-ready");
    var _ = revoke(held, as("compliance"), "v-1").is(200);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    var _ = held.lease(agent).is(200);
  }

  @Test
  void anExpiredVoteOfAQuorumIsGivenAgain() {
    Held held = held("by_client", "two");
    ObjectNode brief = held.attestation("a-1", "human", "approve");
    brief.put("expires_at", Instant.now().plusMillis(1_200).toString());
    var _ = held.attest(alice, brief).is(202);
    var _ = held.until("/status/evidence/0/state", "expired");
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    assertThat(held.attest(alice, brief).is(200).text("/disposition")).isEqualTo("duplicate");
    assertThat(held.read().text("/status/readiness")).isEqualTo("unsatisfied");
    var _ = held.attest(alice, held.attestation("a-2", "human", "approve")).is(202);
    Got satisfied = held.read();
    assertThat(satisfied.text("/status/readiness")).isEqualTo("satisfied");
    assertThat(satisfied.text("/explain/0")).isEqualTo("waiting for: a worker to take the lease");
    assertThat(satisfied.text("/explain/1"))
        .startsWith("have: human (2 of 2) from alice (until ")
        .contains("bob (until ");
  }

  @Test
  void aRevokedVoteOfAQuorumIsGivenAgainAndAfterTheLeaseItIsTooLate() {
    Held held = held("by_client", "two");
    ObjectNode first = held.attestation("a-1", "human", "approve");
    var _ = held.attest(alice, first).is(202);
    var _ = revoke(held, alice, "a-1").is(200);
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(held.attest(alice, first).is(200).text("/disposition")).isEqualTo("duplicate");
    assertThat(held.read().text("/status/readiness")).isEqualTo("unsatisfied");
    var _ = held.attest(alice, held.attestation("a-2", "human", "approve")).is(202);
    String lease = held.lease(agent).is(200).text("/lease_id");
    var _ = revoke(held, alice, "a-2").isProblem(409, "too-late");
    assertThat(held.events("revocation-came-late")).isEqualTo(1);
    var _ = held.attest(as("carol"), held.attestation("c-1", "human", "deny")).is(409);
    var _ = held.outcome(agent, lease, "succeeded", Json.of("ok", true)).is(200);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void whatIsGivenForAFallbackIsShownBeforeItOpens() {
    Held held = held("by_client", "slow-fallback");
    var _ = held.approve(alice).is(202);
    assertThat(held.read().at("/explain").toString())
        .contains("waiting for: ci (0 of 1)", "fallback opens at ", ": human")
        .contains("given for the fallback: human from alice (until ");
  }

  @ParameterizedTest(name = "denied by {0}")
  @ValueSource(strings = {"carol", "carol bob", "alice bob carol both"})
  void fiftyConflictingWordsAtOnceFoldAsTheirSetDoes(String denying) {
    Held held = held("by_client", "lenient-two");
    List<Integer> statuses = shout(held, denying);
    assertThat(statuses).hasSize(50).isSubsetOf(200, 202, 409);
    assertThat(statuses.stream().filter(each -> each == 202)).hasSize(25);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo(fold(call.at("/status/evidence"), 2));
    assertThat(call.text("/status/lifecycle")).isEqualTo("open");
    assertThat(call.at("/status/evidence")).hasSize(25);
    boolean leased = held.lease(agent).status() == 200;
    assertThat(leased).isEqualTo(call.text("/status/readiness").equals("satisfied"));
  }

  @ParameterizedTest(name = "denied by {0}")
  @ValueSource(strings = {"nobody", "carol", "alice bob carol both"})
  void fiftyConflictingWordsAtOnceRunACallOnceOrNever(String denying) {
    Held held = held("act", "two");
    assertThat(shout(held, denying)).hasSize(50).isSubsetOf(200, 202, 409, 429);
    Got call = held.read();
    String value = fold(call.at("/status/evidence"), 1);
    switch (value) {
      case "refuted" -> {
        assertThat(call.text("/status/lifecycle")).isEqualTo("denied");
        assertThat(tools.requests(held.id())).isEmpty();
      }
      case "satisfied" -> {
        assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
        assertThat(tools.effects(held.id())).isEqualTo(1);
      }
      default -> {
        assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
        assertThat(tools.requests(held.id())).isEmpty();
      }
    }
    assertThat(held.events("lease-granted")).isEqualTo(value.equals("satisfied") ? 1 : 0);
  }

  /**
   * Fifty words of four people, one with two tokens, all at once. Every id is used twice: with the
   * same content, or with the opposite decision.
   */
  private List<Integer> shout(Held held, String denying) {
    List<String> people = List.of("alice", "bob", "carol", "both", "alice-again");
    List<String> deniers = List.of(denying.split(" "));
    List<CompletableFuture<Got>> soon = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      String who = people.get(i % people.size());
      boolean denies = i % 2 == 0 && deniers.contains(who);
      ObjectNode word = held.attestation("w-" + i, "human", denies ? "deny" : "approve");
      ObjectNode other = word.deepCopy();
      if (deniers.contains(who) && i % 3 == 0) {
        other.put("decision", denies ? "approve" : "deny");
      }
      soon.add(as(who).postSoon(held.path() + "/attestations", word));
      soon.add(as(who).postSoon(held.path() + "/attestations", other));
    }
    return soon.stream().map(each -> each.join().status()).toList();
  }

  /** What two approves of different people and so many denies amount to, whatever their order. */
  private static String fold(JsonNode evidence, int denies) {
    Map<String, Set<String>> said = new HashMap<>();
    for (JsonNode each : evidence) {
      said.computeIfAbsent(each.path("decision").asText(), key -> new HashSet<>())
          .add(each.path("witness").asText());
    }
    Set<String> denying = said.getOrDefault("deny", Set.of());
    Set<String> approving = new HashSet<>(said.getOrDefault("approve", Set.of()));
    approving.removeAll(denying);
    if (denying.size() >= denies) {
      return "refuted";
    }
    return approving.size() >= 2 ? "satisfied" : "unsatisfied";
  }
}
