package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Not knowing is a state: it is shown, nothing is guessed, and somebody can close it. */
@ParameterizedClass
@EnumSource(Engine.class)
class UnknownOutcomeTest extends ProductTest {

  UnknownOutcomeTest(Engine engine) {
    super(engine);
  }

  private static ObjectNode effect(JsonNode content) {
    return Json.of("outcome", "effect", "content", content);
  }

  private static ObjectNode noEffect() {
    return Json.of("outcome", "no-effect");
  }

  private Held unknown(String tool) {
    Held held = call(tool, "do", "cut");
    assertThat(held.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    return held;
  }

  @Test
  void withoutReadBackAndIdempotencyOneRequestIsEverMadeUntilAResolution() {
    Held held = unknown("act");
    assertThat(held.read().text("/phase")).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(held.deliveries()).isEmpty();
    assertThat(
            operator
                .get("/held?state=unknown&session_id=" + held.sessionId())
                .is(200)
                .text("/items/0/held_id"))
        .isEqualTo(held.id());
    Got resolved = held.resolve(operator, effect(Json.of("booked", true))).is(200);
    assertThat(resolved.text("/execution")).isEqualTo("effect-recorded");
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/result/content/booked").asBoolean()).isTrue();
    assertThat(tools.requests(held.id())).hasSize(1);
    assertThat(held.read().text("/resolution/by")).isEqualTo("operator");
  }

  @Test
  void rule04_theProposerAndItsDelegateResolveNothing() {
    Held held = unknown("act");
    var _ = held.resolve(agent, effect(Json.of())).isProblem(403, "forbidden");
    var _ = held.resolve(as("own-operator"), effect(Json.of())).isProblem(403, "forbidden");
    var _ = held.resolve(alice, effect(Json.of())).isProblem(403, "forbidden");
    var _ = held.resolve(node.as("other-operator"), effect(Json.of())).isProblem(404, "not-found");
    assertThat(held.read().text("/status/execution")).isEqualTo("outcome-unknown");
  }

  @Test
  void rule04_theSameResolutionAgainIs200AndAnother409() {
    Held held = unknown("act");
    var _ = held.resolve(operator, effect(Json.of("n", 1))).is(200);
    var _ = held.resolve(operator, effect(Json.of("n", 1))).is(200);
    var _ = held.resolve(operator, effect(Json.of("n", 2))).isProblem(409, "resolution-conflict");
    var _ = held.resolve(operator, noEffect()).isProblem(409, "resolution-conflict");
    assertThat(held.delivery().at("/result/content/n").asInt()).isEqualTo(1);
    assertThat(held.deliveries()).hasSize(1);
  }

  @Test
  void rule04_noEffectIsTooEarlyBeforeTheBound() {
    Held held = unknown("act");
    var _ = held.resolve(operator, noEffect()).isProblem(409, "too-early");
    assertThat(held.read().text("/status/execution")).isEqualTo("outcome-unknown");
  }

  @Test
  void rule04_noEffectAfterTheBoundEndsTheCallAsCancelledForEver() {
    Held held = unknown("quick");
    Got resolved =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(() -> held.resolve(operator, noEffect()), got -> got.status() == 200);
    assertThat(resolved.text("/lifecycle")).isEqualTo("cancelled");
    assertThat(held.delivery().at("/refusal/kind").asText()).isEqualTo("cancelled");
    var _ = held.resolve(operator, noEffect()).is(200);
    var _ = held.resolve(operator, effect(Json.of())).isProblem(409, "resolution-conflict");
    assertThat(tools.requests(held.id())).hasSize(1);
    assertThat(held.deliveries()).hasSize(1);
  }

  @Test
  void aCallThatIsNotUnknownIsNotResolved() {
    Held held = hold("act");
    var _ = held.resolve(operator, effect(Json.of())).isProblem(409, "not-unknown");
    Got without = operator.post(held.path() + "/resolution", noEffect());
    var _ = without.isProblem(422, "invalid-field");
  }

  @Test
  void rule02_noEffectOfAReadBackCountsOnlyAfterTheDeadlineAndThenItIsTriedAgain() {
    Held held = hold("quick_look", "do", "drop-first", "say", "second");
    var _ = held.approve(alice).is(202);
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/result/content/say").asText()).isEqualTo("second");
    assertThat(tools.requests(held.id())).hasSize(2);
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertThat(tools.readBacks(held.id()).size()).isGreaterThanOrEqualTo(2);
    Instant settles = null;
    for (JsonNode event : held.history()) {
      String type = event.path("type").asText();
      if (type.equals("lease-granted") && settles == null) {
        settles = Instant.parse(event.at("/data/lease/settles_at").asText());
      } else if (type.equals("lease-ended-without-effect")) {
        assertThat(Instant.parse(event.path("at").asText())).isAfterOrEqualTo(settles);
      }
    }
  }

  @Test
  void rule05_afterAProofOfNoEffectTheWishToCancelAppliesBeforeAnyFurtherLease() {
    Held held = hold("quick_look", "do", "drop");
    var _ = held.approve(alice).is(202);
    var _ = held.until("/status/execution", "outcome-unknown");
    var _ = held.cancel("no more").isProblem(409, "effect-dispatched");
    var _ = held.until("/status/lifecycle", "cancelled");
    assertThat(held.delivery().at("/refusal/reason").asText()).isEqualTo("no more");
    assertThat(tools.requests(held.id())).hasSize(1);
  }

  @Test
  void rule05_afterAProofOfNoEffectTheExpiryAppliesBeforeAnyFurtherLease() {
    ObjectNode proposal = proposal("quick_look", "rule", "human", "do", "drop");
    proposal.set("preferences", Json.of("timeout_s", 1));
    Held held = propose(agent, proposal);
    var _ = held.approve(alice).is(202);
    var _ = held.until("/status/lifecycle", "expired");
    assertThat(held.delivery().at("/refusal/kind").asText()).isEqualTo("expired");
    assertThat(tools.requests(held.id())).hasSize(1);
  }
}
