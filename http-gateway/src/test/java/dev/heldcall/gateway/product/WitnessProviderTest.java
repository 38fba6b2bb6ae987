package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Witness providers that the node asks by itself. */
@ParameterizedClass
@EnumSource(Engine.class)
class WitnessProviderTest extends ProductTest {

  private final WitnessServer witnesses;

  WitnessProviderTest(Engine engine) {
    super(engine);
    witnesses = node.witnesses();
  }

  /**
   * A call of {@code act} that the rule holds; {@code say} is a provider and its word, and so on.
   */
  private Held ask(String rule, String... say) {
    ObjectNode proposal = proposal("act", "say", Json.of((Object[]) say));
    proposal.set("preferences", Json.of("require", rule));
    Held held = propose(agent, proposal);
    var _ = held.answer().is(202);
    return held;
  }

  private static JsonNode route(JsonNode call, String provider) {
    for (JsonNode each : call.path("routes")) {
      if (each.path("route").asText().equals(provider)) {
        return each;
      }
    }
    return Json.of();
  }

  private static Got untilRoute(Held held, String provider, String state) {
    try {
      return held.until(call -> route(call, provider).path("state").asText().equals(state));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(
          provider + " did not become " + state + ": " + held.read().at("/routes"), e);
    }
  }

  private void awaitAsks(Held held, String provider, int count) {
    await()
        .atMost(Held.PATIENCE)
        .pollInterval(Duration.ofMillis(25))
        .until(() -> witnesses.asks(provider, held).size() >= count);
  }

  @Test
  void aProviderApprovesAndTheCallRunsOnce() {
    Held held = ask("robot", "robot-a", "approve");
    assertThat(held.answer().at("/witness_request/routes").toString())
        .contains("\"route\":\"robot-a\"")
        .doesNotContain("robot-b");
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertThat(witnesses.asks("robot-a", held)).hasSize(1);
    assertThat(witnesses.asks("robot-b", held)).isEmpty();
    Got call = untilRoute(held, "robot-a", "answered");
    assertThat(call.text("/status/evidence/0/witness")).isEqualTo("robot-a");
    assertThat(call.text("/status/evidence/0/attestation_id")).isEqualTo(held.id() + ".1.robot-a");
    assertThat(held.history().toString()).contains("robot-a");
  }

  @Test
  void aProviderDenies() {
    Held held = ask("robot", "robot-a", "deny");
    var _ = held.until("/status/lifecycle", "denied");
    assertThat(held.delivery().at("/refusal/reason").asText()).contains("of the script");
    assertThat(tools.requests(held.id())).isEmpty();
    assertThat(witnesses.asks("robot-b", held)).isEmpty();
  }

  @Test
  void theDearerIsAskedOnlyWhenTheCheaperCannotTell() {
    Held held = ask("robot", "robot-a", "gate:tell defer", "robot-b", "approve");
    awaitAsks(held, "robot-a", 1);
    assertThat(route(held.read().json(), "robot-b").path("state").asText()).isIn("", "wanted");
    assertThat(witnesses.asks("robot-b", held)).isEmpty();
    witnesses.open("tell");
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(witnesses.asks("robot-b", held)).hasSize(1);
    assertThat(route(held.read().json(), "robot-a").path("reason").asText())
        .isEqualTo("it cannot tell");
  }

  @Test
  void aDearerIsNotAskedBecauseSomethingElseIsStillMissing() {
    Held held = ask("robot & human", "robot-a", "approve", "robot-b", "approve", "desk", "wait");
    var _ = untilRoute(held, "robot-a", "answered");
    var _ = untilRoute(held, "desk", "requested");
    assertThat(witnesses.asks("robot-b", held)).isEmpty();
    var _ = held.approve(alice).is(202);
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(witnesses.asks("robot-b", held)).isEmpty();
  }

  @Test
  void oneThatIsSilentLateOrBrokenLeavesTheCallHeldAndSaysWhy() {
    Held late = ask("slow", "slow", "gate:never approve");
    Held garbage = ask("sage", "sage", "\u0000<html>");
    Held broken = ask("sage", "sage", "throw");
    Held other = ask("sage", "sage", "other-call");
    Got lateCall = held(late, "slow", "unavailable", "no answer within 300ms");
    assertThat(route(lateCall.json(), "slow").path("next_at").asText()).isNotBlank();
    assertThat(lateCall.at("/explain").toString())
        .contains("slow is unavailable (no answer within 300ms), again at ");
    var _ = held(garbage, "sage", "unavailable", "the answer is none");
    var _ = held(broken, "sage", "unavailable", "the provider failed: IllegalStateException");
    var _ = held(other, "sage", "refused", "refused: ");
    assertThat(other.history().toString()).contains("call digest");
  }

  private Got held(Held held, String provider, String state, String reason) {
    Got call = untilRoute(held, provider, state);
    assertThat(route(call.json(), provider).path("reason").asText()).startsWith(reason);
    assertThat(call.text("/phase")).isEqualTo("HELD");
    assertThat(tools.requests(held.id())).isEmpty();
    return call;
  }

  @Test
  void oneThatWasDownIsAskedAgainUnderTheSameId() {
    Held held = ask("sage", "sage", "up:later approve");
    var _ = held(held, "sage", "unavailable", "the script cannot be reached");
    witnesses.open("later");
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(witnesses.asks("sage", held))
        .hasSizeGreaterThan(1)
        .extracting(WitnessServer.Seen::requestId)
        .containsOnly(held.id() + ".1.sage");
  }

  @Test
  void aFallbacksProviderIsAskedOnceItIsOpen() {
    Held held = ask("fallback(robot, 1s, sage)", "robot-a", "wait", "sage", "approve");
    var _ = untilRoute(held, "robot-a", "requested");
    assertThat(witnesses.asks("sage", held)).isEmpty();
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(witnesses.asks("sage", held)).hasSize(1);
  }

  @Test
  void aRequestIsTakenBackWhenTheCallIsDecidedOtherwise() {
    Held cancelled = ask("sage", "sage", "wait");
    Held decided = ask("sage | human", "sage", "wait");
    var _ = untilRoute(cancelled, "sage", "requested");
    var _ = untilRoute(decided, "sage", "requested");
    var _ = cancelled.cancel("not needed").is(200);
    var _ = decided.approve(alice).is(202);
    var _ = untilRoute(cancelled, "sage", "withdrawn");
    var _ = untilRoute(decided, "sage", "withdrawn");
    assertThat(withdrawal(cancelled).path("reason").asText()).isEqualTo("the call is cancelled");
    assertThat(withdrawal(decided).path("reference").asText())
        .isEqualTo("ref-" + decided.id() + ".1.sage");
  }

  private JsonNode withdrawal(Held held) {
    List<WitnessServer.Seen> all = witnesses.seen("withdraw", "sage", held);
    assertThat(all).hasSize(1);
    return all.getFirst().body();
  }

  @Test
  void anEditAsksAnew() {
    Held held = ask("sage", "sage", "wait");
    var _ = untilRoute(held, "sage", "requested");
    ObjectNode args = Json.of("say", Json.of("sage", "approve"));
    var _ = held.edit(1, args);
    var _ = held.until("/status/execution", "effect-recorded");
    assertThat(witnesses.asks("sage", held))
        .extracting(WitnessServer.Seen::requestId)
        .containsExactly(held.id() + ".1.sage", held.id() + ".2.sage");
    await().atMost(Held.PATIENCE).until(() -> witnesses.seen("withdraw", "sage", held).size() == 1);
  }

  @Test
  void evidenceThatRunsOutIsAskedForAgain() {
    Held held = ask("brief & human", "brief", "approve", "desk", "wait");
    awaitAsks(held, "brief", 2);
    assertThat(witnesses.asks("brief", held).get(1).requestId())
        .isEqualTo(held.id() + ".1.brief.r2");
    var _ = held.until(call -> call.at("/status/evidence/0/state").asText().equals("expired"));
    var _ = held.cancel("enough");
  }

  @Test
  void aPokeLooksAtOnce() {
    Held held = ask("sage", "sage", "gate:first wait");
    witnesses.open("first");
    var _ = untilRoute(held, "sage", "requested");
    Got poked =
        incoming("sage", Json.of("poke", "ref-" + held.id() + ".1.sage").toString(), "the script");
    assertThat(poked.is(202).text()).isEqualTo("poked");
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> !witnesses.seen("look", "sage", held).isEmpty());
    var _ = held.cancel("enough");
  }

  private Got incoming(String provider, String body, String script) {
    return agent.postBytes(
        "/witnesses/" + provider + "/incoming", body, "application/x-anything", "X-Script", script);
  }

  private static ObjectNode vote(Held held, String id, String who, String witnessClass) {
    JsonNode call = held.answer().json();
    return Json.of(
        "held_id",
        held.id(),
        "who",
        who,
        "id",
        id,
        "class",
        witnessClass,
        "generation",
        1,
        "at",
        java.time.Instant.now().truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString(),
        "call_digest",
        call.path("call_digest"),
        "contract_digest",
        call.at("/contract/digest"));
  }

  @Test
  void aVoteComesInByMessageOnceHoweverOftenItIsPosted() {
    Held held = ask("quorum(2, human)", "desk", "wait");
    String vote = vote(held, "click-1", "alice", "human").toString();
    assertThat(incoming("desk", vote, "the script").is(200).text("/disposition"))
        .isEqualTo("ACCEPTED");
    for (int i = 0; i < 2; i++) {
      assertThat(incoming("desk", vote, "the script").is(200).text("/disposition"))
          .isEqualTo("DUPLICATE");
    }
    assertThat(held.read().at("/status/evidence")).hasSize(1);
    assertThat(held.read().text("/status/evidence/0/witness")).isEqualTo("alice");
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
  }

  @Test
  void whoMayNotIsAnsweredAndOnRecord() {
    Held held = ask("human", "desk", "wait");
    assertThat(
            incoming("desk", vote(held, "v-1", "mallory", "human").toString(), "the script")
                .is(200)
                .text("/reason"))
        .isEqualTo("main/mallory is no witness here");
    assertThat(
            incoming("desk", vote(held, "v-2", "compliance", "compliance").toString(), "the script")
                .is(200)
                .text("/disposition"))
        .isEqualTo("INVALID");
    var _ = incoming("desk", vote(held, "v-3", "alice", "human").toString(), "somebody").is(401);
    assertThat(held.read().at("/status/evidence")).isEmpty();
    assertThat(held.history().toString())
        .contains("main/mallory is no witness here")
        .contains("words of the class human only");
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
  }

  @Test
  void knocksAtNobody() {
    var _ = incoming("nobody", "{}", "the script").isProblem(404, "not-found");
    var _ = incoming("sage", "not json", "the script").isProblem(422, "invalid");
    assertThat(incoming("sage", "x".repeat((1 << 20) + 1), "the script").status()).isEqualTo(413);
    assertThat(agent.get("/witnesses/sage/incoming").status()).isEqualTo(405);
  }
}
