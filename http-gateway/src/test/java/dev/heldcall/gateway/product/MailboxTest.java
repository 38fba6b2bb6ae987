package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions, their mailboxes and the inbox (the HTTP contract, section 5). */
@ParameterizedClass
@EnumSource(Engine.class)
class MailboxTest extends ProductTest {

  MailboxTest(Engine engine) {
    super(engine);
  }

  private static String deliveries(String session) {
    return "/sessions/" + session + "/deliveries";
  }

  @Test
  void aDeliveryHasEveryFieldOfTheContract() {
    var proposal = proposal("act").put("continuation_ref", "ckpt://s-1/7");
    Held held = propose(agent, proposal);
    JsonNode delivery = held.delivery();
    assertThat(delivery.path("seq").asLong()).isEqualTo(1);
    assertThat(delivery.path("delivery_id").asText()).isEqualTo(held.id() + ".1");
    assertThat(delivery.path("held_id").asText()).isEqualTo(held.id());
    assertThat(delivery.path("turn_id").asText()).isEqualTo("t-1");
    assertThat(delivery.path("call_id").asText()).isEqualTo("c-1");
    assertThat(delivery.path("kind").asText()).isEqualTo("result");
    assertThat(delivery.path("continuation_ref").asText()).isEqualTo("ckpt://s-1/7");
    assertThat(delivery.path("acknowledged").isBoolean()).isTrue();
    assertThat(delivery.path("result").path("admission").asText()).isEqualTo("admitted");
  }

  @Test
  void aReaderOfTheMailboxWaitsForTheNextDelivery() {
    Held held = hold("act");
    String path = deliveries(held.sessionId());
    assertThat(agent.get(path + "?wait_ms=50").is(200).at("/items")).isEmpty();
    CompletableFuture<Got> waiting =
        CompletableFuture.supplyAsync(() -> agent.get(path + "?after=0&wait_ms=40000"));
    var _ = held.approve(alice).is(202);
    Got got = waiting.join().is(200);
    assertThat(got.text("/items/0/held_id")).isEqualTo(held.id());
    assertThat(agent.get(path + "?after=1").is(200).at("/items")).isEmpty();
  }

  @Test
  void rule18_onceASequenceNumberWasVisibleNoSmallerOneAppears() {
    String session = session();
    int calls = 30;
    List<CompletableFuture<Held>> proposed = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      proposed.add(proposeSoon(agent, proposalIn(session, "c-" + i, "act")));
    }
    Map<Long, String> seen = new LinkedHashMap<>();
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () -> {
              long last =
                  seen.isEmpty() ? 0 : seen.keySet().stream().reduce((a, b) -> b).orElse(0L);
              for (JsonNode item :
                  agent.get(deliveries(session) + "?limit=7").is(200).at("/items")) {
                String known = seen.get(item.path("seq").asLong());
                if (known != null) {
                  assertThat(item.path("held_id").asText()).isEqualTo(known);
                }
              }
              Got page = agent.get(deliveries(session) + "?after=" + last + "&limit=7").is(200);
              for (JsonNode item : page.at("/items")) {
                assertThat(item.path("seq").asLong()).isGreaterThan(last);
                seen.put(item.path("seq").asLong(), item.path("held_id").asText());
              }
              return seen.size() == calls;
            });
    proposed.forEach(each -> assertThat(each.join().answer().status()).isEqualTo(200));
    JsonNode all = agent.get(deliveries(session) + "?limit=500").is(200).at("/items");
    assertThat(all).hasSize(calls);
    long before = 0;
    for (JsonNode item : all) {
      assertThat(item.path("seq").asLong()).isGreaterThan(before);
      before = item.path("seq").asLong();
      assertThat(seen).containsEntry(before, item.path("held_id").asText());
    }
  }

  @Test
  void rule19_whatIsNotAcknowledgedIsOfferedForEverAndWhatIsStaysListed() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-1", "act"));
    Held second = propose(agent, proposalIn(session, "c-2", "act"));
    String ack = deliveries(session) + "/" + second.id() + ".1/ack";
    Got got = agent.post(ack).is(200);
    assertThat(agent.post(ack).is(200).json()).isEqualTo(got.json());
    JsonNode items = agent.get(deliveries(session)).is(200).at("/items");
    assertThat(items).hasSize(2);
    assertThat(first.delivery().path("acknowledged").asBoolean()).isFalse();
    assertThat(second.delivery().path("acknowledged").asBoolean()).isTrue();
  }

  @Test
  void rule22_readingCostsNoEventAndAcknowledgingOne() {
    Held held = hold("act");
    var _ = held.approve(alice).is(202);
    var _ = held.delivery();
    int before = held.history().size();
    for (int i = 0; i < 5; i++) {
      var _ = agent.get(deliveries(held.sessionId())).is(200);
    }
    assertThat(held.history()).hasSize(before);
    String ack = deliveries(held.sessionId()) + "/" + held.id() + ".1/ack";
    var _ = agent.post(ack).is(200);
    var _ = agent.post(ack).is(200);
    assertThat(held.history()).hasSize(before + 1);
    assertThat(held.read().text("/status/continuation_delivery")).isEqualTo("acknowledged");
    assertThat(held.read().text("/phase")).isEqualTo("DELIVERED");
  }

  @Test
  void aSessionIsItsPrincipalsOwn() {
    Held held = call("act");
    Caller other = as("agent-2");
    assertThat(other.get(deliveries(held.sessionId())).is(200).at("/items")).isEmpty();
    assertThat(other.get("/sessions/" + held.sessionId()).is(200).at("/calls")).isEmpty();
    String ack = deliveries(held.sessionId()) + "/" + held.id() + ".1/ack";
    assertThat(other.post(ack).status()).isIn(403, 404);
    assertThat(agent.post(deliveries(session()) + "/" + held.id() + ".1/ack").status())
        .isEqualTo(404);
    assertThat(agent.post(deliveries(held.sessionId()) + "/" + held.id() + ".9/ack").status())
        .isEqualTo(404);
    assertThat(held.delivery().path("acknowledged").asBoolean()).isFalse();
    Held same = propose(other, proposalIn(held.sessionId(), "c-1", "act"));
    assertThat(same.id()).isNotEqualTo(held.id());
  }

  @Test
  void theInboxShowsWhatTheCallerMaySeeByState() {
    String session = session();
    Held waiting = propose(agent, proposalIn(session, "w", "act", "rule", "human"));
    Held ready = propose(agent, proposalIn(session, "r", "by_client"));
    Held unknown = propose(agent, proposalIn(session, "u", "act", "do", "cut"));
    Held ended = propose(agent, proposalIn(session, "e", "act"));
    assertInbox(agent, session, "waiting", waiting);
    assertInbox(agent, session, "ready", ready);
    assertInbox(operator, session, "unknown", unknown);
    assertInbox(agent, session, "ended", ended);
    assertInbox(agent, session, "all", waiting, ready, unknown, ended);
    assertInbox(alice, session, "waiting", waiting);
    assertInbox(as("ci"), session, "all");
    assertInbox(as("agent-2"), session, "all");
    assertInbox(node.as("other-operator"), session, "all");
    var _ = agent.get("/held?state=nothing").isProblem(422, "invalid-field");
    Got shown = alice.get("/held?session_id=" + session + "&class=human&tool=act").is(200);
    assertThat(shown.at("/items")).hasSize(1);
    assertThat(shown.at("/next_cursor").isNull()).isTrue();
  }

  private static void assertInbox(Caller viewer, String session, String state, Held... expected) {
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .untilAsserted(
            () -> {
              Got got = viewer.get("/held?limit=500&session_id=" + session + "&state=" + state);
              assertThat(got.is(200).at("/items").findValuesAsText("held_id"))
                  .as(state)
                  .containsExactlyInAnyOrder(
                      java.util.Arrays.stream(expected).map(Held::id).toArray(String[]::new));
            });
  }

  @Test
  void theInboxIsPagedOldestDeadlineFirst() {
    String session = session();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      var proposal = proposalIn(session, "c-" + i, "act", "rule", "human");
      proposal.set("preferences", Json.of("timeout_s", 1_000 - 100 * i));
      ids.addFirst(propose(agent, proposal).id());
    }
    String path = "/held?limit=2&session_id=" + session;
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> alice.get("/held?session_id=" + session).at("/items").size() == ids.size());
    List<String> paged = new ArrayList<>();
    String cursor = "";
    do {
      Got page = alice.get(path + cursor).is(200);
      for (JsonNode item : page.at("/items")) {
        paged.add(item.path("held_id").asText());
      }
      cursor = page.at("/next_cursor").isNull() ? "" : "&cursor=" + page.text("/next_cursor");
    } while (!cursor.isEmpty());
    assertThat(paged).isEqualTo(ids);
    var _ = alice.get("/held?limit=501").isProblem(422, "invalid-field");
  }
}
