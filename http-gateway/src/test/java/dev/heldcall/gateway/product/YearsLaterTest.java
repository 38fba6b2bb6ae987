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
      heldcall.tools.look.url = ${TOOLS}"/moved"
      heldcall.tools.by_brief_client.schema { required = [reason] }
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
      Held moved = approvedByOne(acme, "c-2", "look");
      Held reshaped = approvedByOne(acme, "c-3", "by_brief_client");
      Held untouched = approvedByOne(acme, "c-4", "act");
      Got before = acme.policy();

      node.stop();
      var _ = node.start(STRICTER, Clock.systemUTC());
      Got after = acme.policy();
      assertThat(after.at("/epoch").asLong()).isEqualTo(before.at("/epoch").asLong() + 1);
      assertThat(after.text("/policy_version")).isNotEqualTo(before.text("/policy_version"));
      assertThat(after.at("/document")).isEqualTo(before.at("/document"));
      var _ = acme.as("agent").get("/health/ready").is(200);
      var _ = ready.lease(acme.as("agent")).isProblem(409, "not-ready");
      assertThat(ready.read().text("/status/readiness")).isEqualTo("stale");
      rule17(acme, moved, reshaped, untouched);

      node.stop();
      var _ = node.start("", Clock.offset(Clock.systemUTC(), Duration.ofDays(3 * 365)));
      var _ = acme.as("agent").get("/health/live").is(200);
      var _ = acme.as("agent").get("/health/ready").is(503);
      assertThat(acme.epoch()).isEqualTo(after.at("/epoch").asLong() + 1);
      Got again = acme.as("agent").post("/tool-calls", small).is(200);
      assertThat(again.json()).isEqualTo(done.answer().json());
      assertThat(tools.requests(done.id())).hasSize(1);
      var _ = ready.until("/status/lifecycle", "expired");

      node.stop();
      var _ = node.start();
      assertThat(ready.read().text("/status/lifecycle")).isEqualTo("expired");
      var _ = ready.approve(acme.as("alice")).status();
      assertThat(ready.read().text("/phase")).isEqualTo("TERMINAL_NO_EFFECT");
    }
  }

  private static Held approvedByOne(OwnOrganization acme, String callId, String tool) {
    Held held =
        ProductTest.propose(
            acme.as("agent"), ProductTest.proposalIn("s-1", callId, tool, "rule", "two"));
    var _ = held.approve(acme.as("alice")).is(202);
    return held;
  }

  /** A tool that is another one now needs new evidence, and arguments that it takes. */
  private static void rule17(OwnOrganization acme, Held moved, Held reshaped, Held untouched) {
    var _ = moved.until("/status/evidence/0/state", "stale");
    var _ = reshaped.until("/status/lifecycle", "denied");
    assertThat(untouched.read().text("/status/evidence/0/state")).isEqualTo("valid");
    assertThat(untouched.read().text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    assertThat(
            moved.attest(acme.as("bob"), moved.attestationNow("b-1", "human", "approve")).status())
        .isEqualTo(202);
    assertThat(moved.read().text("/phase")).isEqualTo("HELD");
  }
}
