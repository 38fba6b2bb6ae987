package dev.heldcall.gateway.product;

import static dev.heldcall.gateway.product.OwnOrganization.document;
import static dev.heldcall.gateway.product.OwnOrganization.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that starts again with another floor, and years later. */
class YearsLaterTest {

  private static final String STRICTER =
      """
      heldcall.policy.floor.rules += { id = all-clients, tools = [by_client],
        verdict = REQUIRE_WITNESS, contract { rule = "quorum(2, human)" } }
      """;

  @ParameterizedTest
  @EnumSource(Engine.class)
  void rule08_aNodeAdoptsItsConfigurationsFloorAsANewEpoch(Engine engine, @TempDir Path folder)
      throws Exception {
    try (ToolServer tools = new ToolServer();
        ProductNode node = new ProductNode(folder, engine.fresh(folder.resolve("d")), tools)) {
      OwnOrganization acme = new OwnOrganization(node.start(), Cast.ACME);
      acme.change("kept", document(rule("looks", "look", "ci")));
      ObjectNode small = ProductTest.transfer("s-1", "small", 500);
      Held done = ProductTest.propose(acme.as("agent"), small);
      Held ready =
          ProductTest.propose(
              acme.as("agent"), ProductTest.proposalIn("s-1", "c-1", "by_client", "rule", "human"));
      var _ = ready.approve(acme.as("alice")).is(202);
      Got before = acme.policy();

      node.stop();
      var _ = node.start();
      assertThat(acme.policy().json()).isEqualTo(before.json());

      node.stop();
      var _ = node.start(STRICTER, Clock.systemUTC());
      Got after = acme.policy();
      assertThat(after.at("/epoch").asLong()).isEqualTo(before.at("/epoch").asLong() + 1);
      assertThat(after.text("/policy_version")).isNotEqualTo(before.text("/policy_version"));
      assertThat(after.at("/document")).isEqualTo(before.at("/document"));
      var _ = acme.as("agent").get("/health/ready").is(200);
      var _ = ready.lease(acme.as("agent")).isProblem(409, "not-ready");
      assertThat(ready.read().text("/status/readiness")).isEqualTo("stale");

      node.stop();
      var _ = node.start("", Clock.offset(Clock.systemUTC(), Duration.ofDays(3 * 365)));
      assertThat(acme.epoch()).isEqualTo(after.at("/epoch").asLong() + 1);
      Got again = acme.as("agent").post("/tool-calls", small).is(200);
      assertThat(again.json()).isEqualTo(done.answer().json());
      assertThat(tools.requests(done.id())).hasSize(1);
      var _ = ready.until("/status/lifecycle", "expired");
    }
  }
}
