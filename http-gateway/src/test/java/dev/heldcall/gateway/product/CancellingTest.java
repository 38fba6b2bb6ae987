package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calling a call off, before the effect and after it (the HTTP contract, section 4). */
@ParameterizedClass
@EnumSource(Engine.class)
class CancellingTest extends ProductTest {

  private static final int RACES = 200;
  private static final int AT_ONCE = 20;

  CancellingTest(Engine engine) {
    super(engine);
  }

  @Test
  void aCancelledCallIsCancelledAsOftenAsAsked() {
    Held held = hold("act");
    for (int i = 0; i < 3; i++) {
      Got got = held.cancel("changed my mind").is(200);
      assertThat(got.text("/held_id")).isEqualTo(held.id());
      assertThat(got.text("/lifecycle")).isEqualTo("cancelled");
    }
    assertThat(held.events("call-cancelled")).isEqualTo(1);
    JsonNode delivery = held.delivery();
    assertThat(delivery.path("kind").asText()).isEqualTo("refusal");
    assertThat(delivery.at("/refusal/kind").asText()).isEqualTo("cancelled");
    assertThat(delivery.at("/refusal/by").asText()).isEqualTo("agent");
    assertThat(delivery.at("/refusal/reason").asText()).isEqualTo("changed my mind");
    assertThat(delivery.at("/refusal/executed").isBoolean()).isTrue();
    assertThat(delivery.at("/refusal/executed").asBoolean()).isFalse();
    assertThat(held.deliveries()).hasSize(1);
  }

  @Test
  void anOperatorMayCancelAndOthersMayNot() {
    Held held = hold("act");
    String cancel = held.path() + "/cancel";
    var _ = as("agent-2").post(cancel, Json.of()).isProblem(403, "forbidden");
    var _ = alice.post(cancel, Json.of()).isProblem(403, "forbidden");
    var _ = node.as(Cast.OTHER + "-operator").post(cancel, Json.of()).isProblem(404, "not-found");
    assertThat(held.read().text("/status/lifecycle")).isEqualTo("open");
    var _ = operator.post(cancel).is(200);
    assertThat(held.delivery().at("/refusal/by").asText()).isEqualTo("operator");
  }

  @Test
  void onceDispatchedItCannotBeCancelledAndTheWishIsOnRecord() {
    String gate = session();
    Held held = hold("act", "do", "gate", "gate", gate);
    var _ = held.approve(alice).is(202);
    awaitRequests(held, 1);

    Got refused = held.cancel("stop").isProblem(409, "effect-dispatched");
    assertThat(refused.text("/execution")).isEqualTo("leased");
    assertThat(refused.text("/held_id")).isEqualTo(held.id());
    assertThat(held.read().text("/status/cancel_requested_at")).endsWith("Z");
    assertThat(held.read().text("/status/lifecycle")).isEqualTo("open");

    tools.open(gate);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    Got after = held.cancel("stop again").isProblem(409, "effect-dispatched");
    assertThat(after.text("/execution")).isEqualTo("effect-recorded");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void cancelAndTheLastApprovalAtTheSameMomentNeverTellBothStories() {
    for (int batch = 0; batch < RACES / AT_ONCE; batch++) {
      race(session());
    }
  }

  private void race(String session) {
    List<CompletableFuture<Held>> proposed = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      proposed.add(proposeSoon(agent, proposalIn(session, "c-" + i, "act", "rule", "human")));
    }
    List<Held> calls = proposed.stream().map(CompletableFuture::join).toList();
    List<CompletableFuture<Got>> racing = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      Held held = calls.get(i);
      Runnable cancel = () -> racing.add(agent.postSoon(held.path() + "/cancel", Json.of()));
      Runnable approve =
          () ->
              racing.add(
                  alice.postSoon(
                      held.path() + "/attestations", held.attestation("a-1", "human", "approve")));
      (i % 2 == 0 ? cancel : approve).run();
      (i % 2 == 0 ? approve : cancel).run();
    }
    for (CompletableFuture<Got> each : racing) {
      assertThat(each.join().status()).isIn(200, 202, 409);
    }
    Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> calls.getFirst().deliveries().size() == AT_ONCE);
    for (JsonNode delivery : calls.getFirst().deliveries()) {
      boolean refused = delivery.path("kind").asText().equals("refusal");
      String heldId = delivery.path("held_id").asText();
      assertThat(tools.effects(heldId)).isEqualTo(refused ? 0 : 1);
      assertThat(agent.get("/held/" + heldId).text("/status/lifecycle"))
          .isEqualTo(refused ? "cancelled" : "open");
    }
  }

  @Test
  void field07_theApprovalOfACancelledRunIsPressedAndDoesNothing() {
    Held held = hold("act");
    var _ = held.cancel("the run was stopped").is(200);
    Got late = held.approve(alice).isProblem(409, "stale");
    assertThat(late.text("/disposition")).isEqualTo("stale");
    assertThat(held.events("attestation-refused")).isEqualTo(1);
    assertThat(tools.requests(held.id())).isEmpty();
    Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () ->
                alice.get("/held?state=waiting&session_id=" + held.sessionId()).at("/items").size()
                    == 0);
  }

  @Test
  void field18_aRejectionKeepsItsReasonAndSaysThatNothingWasExecuted() {
    Held held = hold("act");
    var _ =
        held.attest(alice, held.attestation("a-1", "human", "deny").put("reason", "wrong supplier"))
            .is(202);
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/refusal/kind").asText()).isEqualTo("denied");
    assertThat(delivery.at("/refusal/by").asText()).isEqualTo("alice");
    assertThat(delivery.at("/refusal/reason").asText()).isEqualTo("wrong supplier");
    assertThat(delivery.at("/refusal/executed").asBoolean(true)).isFalse();
    assertThat(delivery.has("result")).isFalse();
    Got again =
        agent
            .post(
                "/tool-calls", proposalIn(held.sessionId(), held.callId(), "act", "rule", "human"))
            .isProblem(403, "denied");
    assertThat(again.text("/reasons/0/message")).isEqualTo("wrong supplier");
    assertThat(tools.requests(held.id())).isEmpty();
  }
}
