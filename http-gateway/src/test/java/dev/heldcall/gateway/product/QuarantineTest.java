package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is quarantined is seen nowhere (the design, invariant 11). */
@ParameterizedClass
@EnumSource(Engine.class)
class QuarantineTest extends ProductTest {

  private static final String CANARY = "canary-7f3a";

  QuarantineTest(Engine engine) {
    super(engine);
  }

  /** Every answer that has something of the call. */
  private List<Got> everything(Held held) {
    List<Got> all = new ArrayList<>();
    all.add(held.answer());
    for (Caller viewer : List.of(agent, operator, alice)) {
      all.add(viewer.get(held.path()));
      all.add(viewer.get(held.path() + "/history"));
      for (String state : new String[] {"waiting", "ready", "unknown", "ended", "all"}) {
        all.add(viewer.get("/held?limit=500&state=" + state + "&session_id=" + held.sessionId()));
      }
    }
    all.add(agent.get("/sessions/" + held.sessionId()));
    all.add(agent.get("/sessions/" + held.sessionId() + "/deliveries"));
    return all;
  }

  private void assertQuarantined(Held held, String reason) {
    assertThat(held.delivery().at("/result/admission").asText()).isEqualTo("quarantined");
    assertThat(held.delivery().at("/result").has("content")).isFalse();
    assertThat(held.delivery().at("/result/reasons").toString()).contains(reason);
    Got call = held.read();
    assertThat(call.text("/status/result_admission")).isEqualTo("quarantined");
    assertThat(call.text("/status/execution")).isEqualTo("effect-recorded");
    assertThat(call.at("/result").has("content")).isFalse();
    assertThat(call.text("/result/content_digest")).startsWith("sha256:");
    for (Got got : everything(held)) {
      assertThat(got.text()).as(got.asked()).doesNotContain(CANARY);
    }
  }

  @Test
  void aResultThatBreaksItsSchemaIsSeenNowhere() {
    Held held = call("strict_result", "say", "x");
    assertThat(held.answer().is(200).text("/result/outcome")).isEqualTo("succeeded");
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertQuarantined(held, "schema");
  }

  @Test
  void aResultOfTheRightSchemaIsAdmitted() {
    Held held = call("strict_result");
    assertThat(held.answer().is(200).text("/result/admission")).isEqualTo("admitted");
  }

  @Test
  void aResultOverItsSizeIsSeenNowhere() {
    Held held = call("small_result", "do", "bytes", "bytes", 5_000);
    assertThat(held.answer().is(200).text("/result/admission")).isEqualTo("quarantined");
    assertQuarantined(held, "size");
    assertThat(held.read().text()).doesNotContain("xxxxxxxxxx");
    assertThat(held.history().toString()).doesNotContain("xxxxxxxxxx");
    assertThat(held.deliveries().toString()).doesNotContain("xxxxxxxxxx");
  }

  @Test
  void notEvenTheNameOfAFieldOfTheResultGetsOut() {
    Held held = hold("strict_result");
    var _ = held.cancel("only its answer is of interest").is(200);
    Held leased = call("strict_client");
    String lease = leased.lease(agent).is(200).text("/lease_id");
    var _ =
        leased
            .outcome(
                agent, lease, "succeeded", Json.of("ok", true, CANARY, 1, "in", Json.of(CANARY, 2)))
            .is(200);
    assertQuarantined(leased, "schema");
  }

  @Test
  void aWitnessedCallsResultIsTrustedNoMore() {
    Held held = hold("strict_result", "say", "x");
    var _ = held.approve(alice).is(202);
    assertQuarantined(held, "schema");
  }

  @Test
  void anErrorOfTheToolIsHeldToItsSizeToo() {
    Held held = call("strict_client");
    String lease = held.lease(agent).is(200).text("/lease_id");
    String large = CANARY.repeat(100);
    var _ = held.outcome(agent, lease, "failed", Json.of("error", large)).is(200);
    assertQuarantined(held, "size");
  }

  @Test
  void aResolutionsContentIsHeldToTheSchemaToo() {
    Held held = call("strict_result", "do", "cut");
    assertThat(held.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    var _ =
        held.resolve(operator, Json.of("outcome", "effect", "content", Json.of("note", CANARY)))
            .is(200);
    assertQuarantined(held, "schema");
  }
}
