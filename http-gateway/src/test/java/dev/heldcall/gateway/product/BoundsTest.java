package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is too much, what cannot be represented, and what is sent twice. */
@ParameterizedClass
@EnumSource(Engine.class)
class BoundsTest extends ProductTest {

  private static final int MAX_OPEN = 300;

  BoundsTest(Engine engine) {
    super(engine);
  }

  @Test
  void field25_aHugePayloadIsAClear413AndNobodyElseIsStalled() {
    ObjectNode huge = proposal("act", "text", "x".repeat(1 << 20));
    var _ = agent.post("/tool-calls", huge).isProblem(413, "body-too-large");
    var _ = call("act").answer().is(200);
  }

  @Test
  void field25_aThousandHoldsOfOneSessionDoNotStallOthers() {
    String session = session();
    List<CompletableFuture<Got>> sent = new ArrayList<>();
    for (int i = 0; i < MAX_OPEN + 600; i++) {
      sent.add(
          agent.postSoon("/tool-calls", proposalIn(session, "c-" + i, "act", "rule", "human")));
      if (i % 50 == 49) {
        sent.forEach(CompletableFuture::join);
      }
    }
    List<Got> answers = sent.stream().map(CompletableFuture::join).toList();
    assertThat(answers).extracting(Got::status).isSubsetOf(202, 429, 503);
    List<Got> refused = answers.stream().filter(each -> each.status() == 429).toList();
    java.util.concurrent.atomic.AtomicInteger more =
        new java.util.concurrent.atomic.AtomicInteger();
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () ->
                agent
                        .post(
                            "/tool-calls",
                            proposalIn(
                                session, "m-" + more.incrementAndGet(), "act", "rule", "human"))
                        .status()
                    == 429);
    for (Got each : refused) {
      assertThat(each.isProblem(429, "too-many-calls").header("retry-after")).isNotBlank();
    }
    assertThat(answers.stream().filter(each -> each.status() == 202).count())
        .isGreaterThanOrEqualTo(MAX_OPEN / 2);
    Got known = answers.stream().filter(each -> each.status() == 202).findFirst().orElseThrow();
    var _ = agent.get("/held/" + known.text("/held_id")).is(200);
    var _ = call("act").answer().is(200);
    var _ = propose(as("agent-2"), proposal("act")).answer().is(200);
  }

  @Test
  void field14_theSameIdentityWithAnotherBodyConflictsAlsoWhileTheFirstIsInFlight() {
    String gate = session();
    ObjectNode first = proposal("act", "do", "gate", "gate", gate, "n", 1);
    CompletableFuture<Got> inFlight = agent.postSoon("/tool-calls", first);
    String heldId = ReadingTest.heldId("agent", first);
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> tools.requests(heldId).size() == 1);
    ObjectNode other = first.deepCopy();
    ((ObjectNode) other.path("args")).put("n", 2);
    var _ = agent.post("/tool-calls", other).isProblem(409, "call-identity-conflict");
    tools.open(gate);
    var _ = inFlight.join().is(200);
    assertThat(tools.requests(heldId)).hasSize(1);
  }

  @Test
  void field14_theSameProposalManyTimesAtOnceRunsOnce() {
    ObjectNode proposal = proposal("act", "say", "one");
    List<CompletableFuture<Got>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add(agent.postSoon("/tool-calls", proposal));
    }
    List<Got> answers = sent.stream().map(each -> each.join().is(200)).toList();
    assertThat(answers).allMatch(each -> each.json().equals(answers.getFirst().json()));
    assertThat(tools.requests(answers.getFirst().text("/held_id"))).hasSize(1);
  }

  @Test
  void field13_spellingsOfTheSameJsonAreOneContent() {
    String session = session();
    Got first = agent.post("/tool-calls", spelt(session, "{\"n\":100,\"s\":\"\u00e9\",\"z\":0}"));
    var _ = first.is(200);
    for (String other :
        new String[] {
          "{ \"z\" : -0.0, \"s\":\"\\u00E9\", \"n\":1E2 }",
          "{\"\\u006e\":1.00e+2,\"s\":\"\u00e9\",\"z\":0.0}"
        }) {
      assertThat(agent.post("/tool-calls", spelt(session, other)).is(200).json())
          .isEqualTo(first.json());
    }
    String heldId = first.text("/held_id");
    assertThat(tools.requests(heldId)).hasSize(1);
    assertThat(tools.requests(heldId).getFirst().body())
        .isEqualTo("{\"n\":100,\"s\":\"\u00e9\",\"z\":0}");
    var _ =
        agent
            .post("/tool-calls", spelt(session, "{\"n\":100,\"s\":\"e\u0301\",\"z\":0}"))
            .isProblem(409, "call-identity-conflict");
  }

  @Test
  void field13_keysAreOrderedByUtf16AlsoBeyondTheBasicPlane() {
    Got got =
        agent
            .post("/tool-calls", spelt(session(), "{\"\ufb33\":1,\"\ud83d\ude00\":2,\"\u00f6\":3}"))
            .is(200);
    assertThat(tools.requests(got.text("/held_id")).getFirst().body())
        .isEqualTo("{\"\u00f6\":3,\"\ud83d\ude00\":2,\"\ufb33\":1}");
  }

  @Test
  void field13_whatCannotBeRepresentedIsRefused() {
    for (String args :
        new String[] {
          "{\"a\":1,\"a\":1}", "{\"a\":\"\\ud800\"}", "{\"a\":NaN}", "{\"a\":01}", "{\"a\":1}}"
        }) {
      var _ = agent.post("/tool-calls", spelt(session(), args)).isProblem(400, "invalid-json");
    }
    for (String args :
        new String[] {
          "{\"a\":9007199254740993}",
          "{\"a\":-9007199254740992}",
          "{\"a\":1e400}",
          "{\"a\":0.1000000000000000055511151231257827}"
        }) {
      var _ = agent.post("/tool-calls", spelt(session(), args)).isProblem(422, "not-i-json");
    }
  }

  private static String spelt(String session, String args) {
    return """
        {"session_id":"%s","turn_id":"t-1","call_id":"c-1","tool":"act","args":%s}
        """
        .formatted(session, args);
  }
}
