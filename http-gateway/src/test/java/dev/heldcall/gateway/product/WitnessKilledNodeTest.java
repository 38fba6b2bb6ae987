package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code kill -9} between a request to a witness and its answer. */
class WitnessKilledNodeTest {

  /** Another contract for what waits for {@code sage}. */
  private static final String STRICTER =
      """
      heldcall.policy.floor.rules += { id = stricter, tools = [look], verdict = REQUIRE_WITNESS
        contract { rule = sage, veto = [compliance] } }
      """;

  @ParameterizedTest
  @EnumSource(Engine.class)
  void nobodyIsAskedTwiceWhoMustNotBeAndNobodyIsForgotten(Engine engine, @TempDir Path folder)
      throws Exception {
    try (ToolServer tools = new ToolServer();
        ProductNode node = new ProductNode(folder, engine.fresh(folder.resolve("d")), tools)) {
      WitnessServer witnesses = node.witnesses();
      Caller agent = node.as("acme-agent");
      Held repeatable;
      Held once;
      Held found;
      Held later;
      Held changed;
      try (ChildNode child = ChildNode.of(node)) {
        node.at(child.uri());
        repeatable = hold(agent, "act", "sage", "sage", "gate:kill approve");
        once = hold(agent, "act", "once", "once", "gate:kill approve");
        found = hold(agent, "act", "found", "found", "gate:kill approve");
        later =
            hold(agent, "act", "fallback(robot, 2s, sage)", "robot-a", "wait", "sage", "approve");
        changed = hold(agent, "look", "sage", "sage", "wait");
        awaitAsk(witnesses, "sage", repeatable);
        awaitAsk(witnesses, "once", once);
        awaitAsk(witnesses, "found", found);
        awaitAsk(witnesses, "robot-a", later);
        var _ = changed.until(call -> call.at("/routes/0/state").asText().equals("requested"));
        child.kill();
      }
      Instant opens = Instant.now().plusSeconds(2);
      await().atMost(Held.PATIENCE).until(() -> Instant.now().isAfter(opens));
      assertThat(witnesses.asks("sage", later)).isEmpty();
      witnesses.open("kill");
      var _ = node.start(STRICTER, Clock.systemUTC());

      var _ = repeatable.until("/status/execution", "effect-recorded");
      assertThat(witnesses.asks("sage", repeatable))
          .hasSize(2)
          .extracting(WitnessServer.Seen::requestId)
          .containsOnly(repeatable.id() + ".1.sage");
      assertThat(tools.effects(repeatable.id())).isEqualTo(1);

      JsonNode inDoubt =
          once.until(call -> call.at("/routes/0/state").asText().equals("in-doubt")).json();
      assertThat(inDoubt.at("/routes/0/reason").asText())
          .startsWith("the node ended while it was asking; ");
      assertThat(inDoubt.at("/phase").asText()).isEqualTo("HELD");
      assertThat(inDoubt.at("/explain").toString()).contains("once is in-doubt");
      assertThat(witnesses.asks("once", once)).hasSize(1);

      var _ = found.until("/status/execution", "effect-recorded");
      assertThat(witnesses.asks("found", found)).hasSize(1);
      assertThat(witnesses.seen("recover", "found", found)).hasSize(1);

      var _ = later.until("/status/execution", "effect-recorded");
      assertThat(witnesses.asks("sage", later)).hasSize(1);

      // a parked call learns of another policy when somebody looks at it
      var _ = changed.until(call -> witnesses.asks("sage", changed).size() == 2);
      assertThat(witnesses.asks("sage", changed).getLast().requestId())
          .isEqualTo(changed.id() + ".1.sage.r2");
      assertThat(witnesses.seen("withdraw", "sage", changed).getFirst().requestId())
          .isEqualTo(changed.id() + ".1.sage");
      assertThat(changed.read().text("/phase")).isEqualTo("HELD");
    }
  }

  private static void awaitAsk(WitnessServer witnesses, String provider, Held held) {
    await().atMost(Held.PATIENCE).until(() -> witnesses.asks(provider, held).size() == 1);
  }

  private static Held hold(Caller agent, String tool, String rule, String... say) {
    ObjectNode proposal = ProductTest.proposal(tool, "say", Json.of((Object[]) say));
    proposal.set("preferences", Json.of("require", rule));
    Held held = ProductTest.propose(agent, proposal);
    var _ = held.answer().is(202);
    return held;
  }
}
