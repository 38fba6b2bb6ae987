package dev.heldcall.gateway.product;

import static dev.heldcall.gateway.product.CallsBeforeTheRestart.lasting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node is stopped with calls in every state and started again on the same data two hours later.
 * Each test looks at one of the calls.
 */
@ParameterizedClass
@EnumSource(Engine.class)
class RestartTest {

  private static final Duration DOWN = Duration.ofHours(2);

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static ToolServer tools;

  @SuppressWarnings("NullAway.Init")
  private static CallsBeforeTheRestart was;

  RestartTest(Engine engine) {
    assertThat(engine).isNotNull();
  }

  @BeforeParameterizedClassInvocation
  static void stopsAndStartsAgain(Engine engine) throws IOException, SettingsException {
    Path own = folder.resolve(engine.name());
    tools = new ToolServer();
    ProductNode node = new ProductNode(own, engine.fresh(own.resolve("data")), tools).start();
    was = new CallsBeforeTheRestart(node);
    node.stop();
    tools.heal();
    var _ = node.start("", Clock.offset(Clock.systemUTC(), DOWN));
  }

  @AfterParameterizedClassInvocation
  static void closes() {
    was.node.close();
    tools.close();
  }

  @Test
  void field08_theApprovalComesAfterTheRestartAndTheCallRunsOnce() {
    assertThat(was.waiting.read().text("/phase")).isEqualTo("HELD");
    var _ = was.waiting.attest(was.alice, lasting(was.waiting, "a-1")).is(202);
    assertThat(was.waiting.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(tools.effects(was.waiting.id())).isEqualTo(1);
  }

  @Test
  void rule08_theSameFloorIsNoNewEpoch() {
    Got policy = was.node.as("acme-owner").get("/policies/acme").is(200);
    assertThat(policy.json()).isEqualTo(was.policy.json());
  }

  @Test
  void evidenceGivenBeforeTheRestartStillCounts() {
    assertThat(was.halfApproved.history()).isEqualTo(was.history);
    assertThat(was.halfApproved.read().text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    var _ = was.halfApproved.attest(was.bob, lasting(was.halfApproved, "b-1")).is(202);
    assertThat(was.halfApproved.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(tools.effects(was.halfApproved.id())).isEqualTo(1);
  }

  @Test
  void theMailboxIsTheSameAndWhatWasAcknowledgedStaysSo() {
    assertThat(was.delivered.delivery()).isEqualTo(was.delivery);
    assertThat(was.acknowledged.delivery().path("acknowledged").asBoolean()).isTrue();
    assertThat(tools.requests(was.delivered.id())).hasSize(1);
  }

  @Test
  void anExpiryThatFellDueWhileTheNodeWasDownIsDeliveredByItself() {
    assertThat(was.expiring.delivery().at("/refusal/kind").asText()).isEqualTo("expired");
    assertThat(tools.requests(was.expiring.id())).isEmpty();
  }

  @Test
  void aFallbackThatFellDueWhileTheNodeWasDownOpensByItself() {
    assertThat(was.fallingBack.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(was.fallingBack.events("fallback-opened")).isEqualTo(1);
  }

  @Test
  void aDependentStillWaitsAndThenRuns() {
    assertThat(tools.requests(was.dependent.id())).isEmpty();
    var _ = was.first.attest(was.alice, lasting(was.first, "a-1")).is(202);
    assertThat(was.dependent.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(was.first.delivery().path("seq").asLong())
        .isLessThan(was.dependent.delivery().path("seq").asLong());
  }

  @Test
  void anUnknownOutcomeIsReadBackAfterTheRestart() {
    assertThat(was.readBack.delivery().at("/result/content/say").asText()).isEqualTo("found");
    assertThat(tools.requests(was.readBack.id())).hasSize(1);
  }

  @Test
  void anUnknownOutcomeWithoutReadBackStaysUnknownUntilItIsResolved() {
    assertThat(was.unknown.read().text("/status/execution")).isEqualTo("outcome-unknown");
    var _ =
        was.unknown
            .resolve(was.operator, Json.of("outcome", "effect", "content", Json.of("n", 1)))
            .is(200);
    assertThat(was.unknown.delivery().at("/result/content/n").asInt()).isEqualTo(1);
    assertThat(tools.requests(was.unknown.id())).hasSize(1);
  }

  @Test
  void aClientsLeaseRanOutWhileTheNodeWasDownAndItsReportStillCounts() {
    var _ = was.leased.until("/status/execution", "outcome-unknown");
    var _ = was.leased.outcome(was.agent, was.leaseId, "succeeded", Json.of("late", true)).is(200);
    assertThat(was.leased.delivery().at("/result/content/late").asBoolean()).isTrue();
  }

  @Test
  void anApprovalThatExpiredWhileTheNodeWasDownReleasesNothing() {
    var _ = was.evidenceExpires.lease(was.agent).isProblem(409, "not-ready");
    var _ = was.evidenceExpires.until("/status/evidence/0/state", "expired");
  }

  @Test
  void aCancelledCallStaysCancelled() {
    var _ = was.cancelled.approve(was.alice).status();
    assertThat(was.cancelled.read().text("/status/lifecycle")).isEqualTo("cancelled");
    assertThat(was.cancelled.delivery().at("/refusal/reason").asText())
        .isEqualTo("before the restart");
    assertThat(tools.requests(was.cancelled.id())).isEmpty();
  }

  @Test
  void theSameProposalAnswersTheSameAndAnotherContentConflicts() {
    Got again = was.agent.post("/tool-calls", was.keyed, "Idempotency-Key", "kept").is(200);
    assertThat(tools.requests(again.text("/held_id"))).hasSize(1);
    var _ =
        was.agent
            .post("/tool-calls", ProductTest.proposal("act"), "Idempotency-Key", "kept")
            .isProblem(422, "idempotency-key-reuse");
    ObjectNode other = was.keyed.deepCopy();
    other.set("args", Json.of("other", true));
    var _ = was.agent.post("/tool-calls", other).isProblem(409, "call-identity-conflict");
  }
}
