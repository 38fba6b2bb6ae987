package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code kill -9} between effect and record, in a process of its own. */
class KilledNodeTest {

  @ParameterizedTest
  @EnumSource(Engine.class)
  void field01_theToolRanAndTheProcessDiedBeforeTheResultWasWritten(
      Engine engine, @TempDir Path folder) throws Exception {
    try (ToolServer tools = new ToolServer();
        ProductNode node = new ProductNode(folder, engine.fresh(folder.resolve("d")), tools)) {
      Caller agent = node.as("acme-agent");
      Caller alice = node.as("acme-alice");
      Held looked;
      Held acted;
      Held again;
      Held waiting;
      Held delivered;
      JsonNode delivery;
      List<Held> answered = new ArrayList<>();
      try (ChildNode child = ChildNode.of(node)) {
        node.at(child.uri());
        delivered = ProductTest.propose(agent, ProductTest.proposal("act", "say", "done"));
        delivery = delivered.delivery();
        waiting = ProductTest.propose(agent, ProductTest.proposal("act", "rule", "human"));
        looked = atTheGate(agent, "look");
        acted = atTheGate(agent, "act");
        again = atTheGate(agent, "again");
        for (Held each : new Held[] {looked, acted, again}) {
          var _ = each.approve(alice).is(202);
          await().atMost(Held.PATIENCE).until(() -> tools.effects(each.id()) == 1);
        }
        List<CompletableFuture<Held>> proposed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          proposed.add(
              ProductTest.proposeSoon(agent, ProductTest.proposal("act", "rule", "human")));
        }
        proposed.forEach(each -> answered.add(each.join()));
        child.kill();
      }
      tools.open("never-before-the-kill");
      var _ = node.start();

      assertThat(looked.delivery().at("/result/content/say").asText()).isEqualTo("made");
      assertThat(tools.requests(looked.id())).hasSize(1);

      assertThat(again.delivery().at("/result/content/say").asText()).isEqualTo("made");
      assertThat(tools.requests(again.id())).hasSize(2);
      assertThat(tools.requests(again.id()))
          .extracting(ToolServer.Seen::key)
          .containsOnly(again.id() + ".1");

      var _ = acted.until("/status/execution", "outcome-unknown");
      assertThat(tools.requests(acted.id())).hasSize(1);
      assertThat(acted.deliveries()).isEmpty();

      for (Held each : answered) {
        assertThat(each.read().text("/call_digest")).isEqualTo(each.answer().text("/call_digest"));
        assertThat(each.read().text("/phase")).isEqualTo("HELD");
      }
      assertThat(delivered.delivery()).isEqualTo(delivery);
      var _ = waiting.approve(alice).is(202);
      assertThat(waiting.delivery().path("kind").asText()).isEqualTo("result");
      assertThat(tools.effects(waiting.id())).isEqualTo(1);
    }
  }

  private static Held atTheGate(Caller agent, String tool) {
    return ProductTest.propose(
        agent,
        ProductTest.proposal(
            tool, "rule", "human", "do", "gate", "gate", "never-before-the-kill", "say", "made"));
  }
}
