package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is told to end answers whoever waits there, as things stand. */
class LeavingTest {

  @Test
  void whoeverWaitsIsAnsweredAndNothingIsLost(@TempDir Path folder) throws Exception {
    try (ToolServer tools = new ToolServer();
        ProductNode node =
            new ProductNode(folder, Engine.H2.fresh(folder.resolve("d")), tools).start()) {
      Caller agent = node.as("acme-agent");
      Held held = ProductTest.propose(agent, ProductTest.proposal("act", "rule", "human"));
      String etag = held.read().header("etag").replace("\"", "");
      var read = soon(agent, held.path() + "?wait_ms=60000&since=" + etag);
      var deliveries = soon(agent, "/sessions/" + held.sessionId() + "/deliveries?wait_ms=60000");
      var runs = ProductTest.proposal("act", "do", "gate", "gate", "leaving", "say", "made");
      var running = ProductTest.proposeSoon(agent, runs);
      await().atMost(Held.PATIENCE).until(() -> tools.seen() == 1);

      var end = CompletableFuture.runAsync(node::stop);
      assertThat(read.join().is(200).text("/phase")).isEqualTo("HELD");
      assertThat(deliveries.join().is(200).at("/items")).isEmpty();
      Held answered = running.join();
      assertThat(answered.answer().is(202).text("/verdict")).isEqualTo("ALLOW");
      tools.open("leaving");
      end.join();

      var _ = node.start();
      assertThat(answered.delivery().at("/result/content/say").asText()).isEqualTo("made");
      assertThat(tools.effects(answered.id())).isEqualTo(1);
      assertThat(answered.events("outcome-became-unknown")).isZero();
    }
  }

  private static CompletableFuture<Got> soon(Caller caller, String path) {
    return CompletableFuture.supplyAsync(() -> caller.get(path));
  }
}
