package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node is stopped with calls in every state and started again on the same data two hours later.
 * Each test looks at one of the calls.
 */
@ParameterizedClass
@EnumSource(Engine.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartTest extends ProductTest {

  private static final Duration DOWN = Duration.ofHours(2);

  private final Engine engine;
  private ProductNode restarted;
  private ToolServer ownTools;
  private Caller ownAgent;
  private Held waiting;
  private Held halfApproved;
  private Held delivered;
  private Held acknowledged;
  private Held expiring;
  private Held fallingBack;
  private Held first;
  private Held dependent;
  private Held readBack;
  private Held unknown;
  private Held leased;
  private String leaseId;
  private Held evidenceExpires;
  private Held cancelled;
  private JsonNode deliveryBefore;
  private JsonNode historyBefore;
  private ObjectNode keyed;

  RestartTest(Engine engine) throws IOException {
    super(engine);
    this.engine = engine;
    ownTools = new ToolServer();
    restarted = node;
    ownAgent = agent;
    waiting = halfApproved = delivered = acknowledged = expiring = fallingBack = unset();
    first = dependent = readBack = unknown = leased = evidenceExpires = cancelled = unset();
    leaseId = "";
    deliveryBefore = Json.of();
    historyBefore = Json.of();
    keyed = proposal("act");
  }

  private Held unset() {
    return new Held(agent, "", "", new Got("", 0, java.util.Map.of(), "{}"));
  }

  private Caller own(String id) {
    return restarted.as(Cast.ACME + "-" + id);
  }

  @BeforeAll
  void stopsWithCallsInEveryStateAndStartsAgain(@TempDir Path folder)
      throws IOException, SettingsException {
    restarted = new ProductNode(folder, engine.fresh(folder.resolve("data")), ownTools).start();
    ownAgent = own("agent");
    proposeAll();
    restarted.stop();
    ownTools.heal();
    var _ = restarted.start("", Clock.offset(Clock.systemUTC(), DOWN));
  }

  @AfterAll
  void closes() {
    restarted.close();
    ownTools.close();
  }

  private Held ownCall(String tool, Object... args) {
    return propose(ownAgent, proposal(tool, args));
  }

  private void proposeAll() {
    waiting = ownCall("act", "rule", "human");
    halfApproved = ownCall("act", "rule", "two");
    var _ = halfApproved.attest(own("alice"), lasting(halfApproved, "a-1")).is(202);
    delivered = ownCall("act", "say", "once");
    acknowledged = ownCall("act");
    deliveryBefore = delivered.delivery();
    var _ = ownAgent.post(ackOf(acknowledged)).is(200);
    expiring = propose(ownAgent, withTimeout(proposal("act", "rule", "human"), 3_600));
    fallingBack = ownCall("act", "rule", "slow-fallback");
    var _ = fallingBack.attest(own("alice"), lasting(fallingBack, "a-1")).is(202);
    String session = session();
    first = propose(ownAgent, proposalIn(session, "c-1", "act", "rule", "human"));
    ObjectNode second = proposalIn(session, "c-2", "act");
    second.putArray("depends_on").add(first.id());
    dependent = propose(ownAgent, second);
    readBack = ownCall("look", "do", "cut", "read_back", 503, "say", "found");
    unknown = ownCall("act", "do", "cut");
    leased = ownCall("by_client");
    leaseId = leased.lease(ownAgent).is(200).text("/lease_id");
    evidenceExpires = ownCall("by_client", "rule", "human");
    var _ = evidenceExpires.approve(own("alice")).is(202);
    cancelled = ownCall("act", "rule", "human");
    var _ = cancelled.cancel("before the restart").is(200);
    historyBefore = halfApproved.history();
    var _ = ownAgent.post("/tool-calls", keyed, "Idempotency-Key", "kept").is(200);
  }

  private static ObjectNode withTimeout(ObjectNode proposal, long seconds) {
    proposal.set("preferences", Json.of("timeout_s", seconds));
    return proposal;
  }

  private static ObjectNode lasting(Held held, String id) {
    String expires =
        Instant.now().plus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS).toString();
    return held.attestation(id, "human", "approve").put("expires_at", expires);
  }

  private static String ackOf(Held held) {
    return "/sessions/" + held.sessionId() + "/deliveries/" + held.id() + ".1/ack";
  }

  @Test
  void field08_theApprovalComesAfterTheRestartAndTheCallRunsOnce() {
    assertThat(waiting.read().text("/phase")).isEqualTo("HELD");
    var _ = waiting.attest(own("alice"), lasting(waiting, "a-1")).is(202);
    assertThat(waiting.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(ownTools.effects(waiting.id())).isEqualTo(1);
  }

  @Test
  void evidenceGivenBeforeTheRestartStillCounts() {
    assertThat(halfApproved.history()).isEqualTo(historyBefore);
    assertThat(halfApproved.read().text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    var _ = halfApproved.attest(own("bob"), lasting(halfApproved, "b-1")).is(202);
    assertThat(halfApproved.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(ownTools.effects(halfApproved.id())).isEqualTo(1);
  }

  @Test
  void theMailboxIsTheSameAndWhatWasAcknowledgedStaysSo() {
    assertThat(delivered.delivery()).isEqualTo(deliveryBefore);
    assertThat(acknowledged.delivery().path("acknowledged").asBoolean()).isTrue();
    assertThat(ownTools.requests(delivered.id())).hasSize(1);
  }

  @Test
  void anExpiryThatFellDueWhileTheNodeWasDownIsDeliveredByItself() {
    assertThat(expiring.delivery().at("/refusal/kind").asText()).isEqualTo("expired");
    assertThat(ownTools.requests(expiring.id())).isEmpty();
  }

  @Test
  void aFallbackThatFellDueWhileTheNodeWasDownOpensByItself() {
    assertThat(fallingBack.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(fallingBack.events("fallback-opened")).isEqualTo(1);
  }

  @Test
  void aDependentStillWaitsAndThenRuns() {
    assertThat(ownTools.requests(dependent.id())).isEmpty();
    var _ = first.attest(own("alice"), lasting(first, "a-1")).is(202);
    assertThat(dependent.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(first.delivery().path("seq").asLong())
        .isLessThan(dependent.delivery().path("seq").asLong());
  }

  @Test
  void anUnknownOutcomeIsReadBackAfterTheRestart() {
    assertThat(readBack.delivery().at("/result/content/say").asText()).isEqualTo("found");
    assertThat(ownTools.requests(readBack.id())).hasSize(1);
  }

  @Test
  void anUnknownOutcomeWithoutReadBackStaysUnknownUntilItIsResolved() {
    assertThat(unknown.read().text("/status/execution")).isEqualTo("outcome-unknown");
    var _ =
        unknown
            .resolve(own("operator"), Json.of("outcome", "effect", "content", Json.of("n", 1)))
            .is(200);
    assertThat(unknown.delivery().at("/result/content/n").asInt()).isEqualTo(1);
    assertThat(ownTools.requests(unknown.id())).hasSize(1);
  }

  @Test
  void aClientsLeaseRanOutWhileTheNodeWasDownAndItsReportStillCounts() {
    var _ = leased.until("/status/execution", "outcome-unknown");
    var _ = leased.outcome(ownAgent, leaseId, "succeeded", Json.of("late", true)).is(200);
    assertThat(leased.delivery().at("/result/content/late").asBoolean()).isTrue();
  }

  @Test
  void anApprovalThatExpiredWhileTheNodeWasDownReleasesNothing() {
    var _ = evidenceExpires.lease(ownAgent).isProblem(409, "not-ready");
    var _ = evidenceExpires.until("/status/evidence/0/state", "expired");
  }

  @Test
  void aCancelledCallStaysCancelled() {
    var _ = cancelled.approve(own("alice")).status();
    assertThat(cancelled.read().text("/status/lifecycle")).isEqualTo("cancelled");
    assertThat(cancelled.delivery().at("/refusal/reason").asText()).isEqualTo("before the restart");
    assertThat(ownTools.requests(cancelled.id())).isEmpty();
  }

  @Test
  void theSameProposalAnswersTheSameAndAnotherContentConflicts() {
    Got again = ownAgent.post("/tool-calls", keyed, "Idempotency-Key", "kept").is(200);
    assertThat(ownTools.requests(again.text("/held_id"))).hasSize(1);
    var _ =
        ownAgent
            .post("/tool-calls", proposal("act"), "Idempotency-Key", "kept")
            .isProblem(422, "idempotency-key-reuse");
    ObjectNode other = keyed.deepCopy();
    other.set("args", Json.of("other", true));
    var _ = ownAgent.post("/tool-calls", other).isProblem(409, "call-identity-conflict");
  }
}
