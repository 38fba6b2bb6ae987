package dev.heldcall.kernel.entity;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.entity.EntityBench.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.call.Attesting;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.entity.HeldCallProtocol.Execute;
import dev.heldcall.kernel.entity.HeldCallProtocol.Wake;
import dev.heldcall.plugin.api.Boundary;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.persistence.testkit.PersistenceTestKitPlugin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait for one another, and calls that leave memory, in a cluster of one node. */
@Timeout(120)
class HeldCallShardingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final FakeWorld WORLD = new FakeWorld(HUMAN, Duration.ofSeconds(1));
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.load(
              PersistenceTestKitPlugin.config()
                  .withFallback(ConfigFactory.parseResources("heldcall-kernel.conf"))));
  private static final TestProbe<CallReply> REPLIES = KIT.createTestProbe(CallReply.class);

  @BeforeAll
  static void start() {
    Cluster cluster = Cluster.get(KIT.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    ClusterSharding.get(KIT.system())
        .init(
            Entity.of(
                    HeldCallEntity.KEY,
                    context ->
                        HeldCallEntity.create(
                            context.getEntityId(), WORLD.runtime(), context.getShard()))
                .withStopMessage(HeldCallEntity.stopMessage()));
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static void tell(String heldId, HeldCallProtocol.Message message) {
    ClusterSharding.get(KIT.system()).entityRefFor(HeldCallEntity.KEY, heldId).tell(message);
  }

  private static CallReply ask(String heldId, HeldCallCommand command) {
    tell(heldId, new Execute(command, 0, REPLIES.getRef()));
    return REPLIES.receiveMessage(PATIENCE);
  }

  private static HeldCallFacts facts(String heldId) {
    tell(heldId, new HeldCallProtocol.Read(-1, 0, REPLIES.getRef()));
    return REPLIES.receiveMessage(PATIENCE).facts();
  }

  private static HeldCallFacts awaitFacts(String heldId, Predicate<HeldCallFacts> such) {
    return await().atMost(PATIENCE).until(() -> facts(heldId), such);
  }

  private static Proposal proposal(List<String> dependsOn, @Nullable String parent) {
    return new Proposal(
        "s-1",
        "t-1",
        "c-" + CALLS.incrementAndGet(),
        Boundary.TOOL,
        "transfer",
        CoreFixtures.json("{'amount': 125000}"),
        null,
        dependsOn,
        parent,
        Preferences.NONE);
  }

  private static String proposed(Proposal proposal) {
    String heldId = proposal.identity(AGENT).heldId();
    ask(heldId, LiveCall.propose(proposal));
    return heldId;
  }

  private static String proposed(String... dependsOn) {
    return proposed(proposal(List.of(dependsOn), null));
  }

  private static HeldCallFacts approve(String heldId) {
    return ask(heldId, Attesting.approval(facts(heldId), ALICE, WORLD.clock.instant())).facts();
  }

  private static FakeWorld.Tools.Dispatch dispatched(String heldId) {
    FakeWorld.Tools.Dispatch dispatch = next(WORLD.tools.dispatched);
    assertThat(dispatch.order().spec().heldId()).isEqualTo(heldId);
    return dispatch;
  }

  private static void succeeds(String heldId) {
    dispatched(heldId).answer().complete(LiveCall.answer(true, "{'id': 'p-1'}"));
  }

  @Test
  void aDependentRunsOnceWhatItDependsOnHasSucceeded() {
    String first = proposed();
    String second = proposed(first);
    String third = proposed(second);
    approve(third);
    assertThat(approve(second).execution()).isEqualTo(Execution.NONE);
    approve(first);
    succeeds(first);
    succeeds(second);
    succeeds(third);
    assertThat(awaitFacts(third, HeldCallFacts::concluded).dependencies())
        .containsEntry(second, DependencyState.SATISFIED);
  }

  @Test
  void aDependentOfWhatHasSucceededBeforeRunsAtOnce() {
    String first = proposed();
    approve(first);
    succeeds(first);
    awaitFacts(first, HeldCallFacts::concluded);
    String second = proposed(first);
    approve(second);
    succeeds(second);
    awaitFacts(second, HeldCallFacts::concluded);
  }

  @Test
  void dependentsOfARefusedCallAreRefused() {
    String first = proposed();
    String second = proposed(first);
    String third = proposed(second);
    ask(first, new HeldCallCommand.CancelCall(AGENT, null));
    assertThat(awaitFacts(third, HeldCallFacts::concluded).lifecycle()).isEqualTo(Lifecycle.DENIED);
    assertThat(facts(second).lifecycle()).isEqualTo(Lifecycle.DENIED);
  }

  @Test
  void aDependentOfAFailedCallIsRefused() {
    String first = proposed();
    String second = proposed(first);
    approve(first);
    dispatched(first).answer().complete(LiveCall.answer(false, "{'error': 'no'}"));
    assertThat(awaitFacts(second, HeldCallFacts::concluded).lifecycle())
        .isEqualTo(Lifecycle.DENIED);
  }

  @Test
  void aParentWaitsUntilItsChildHasSettled() {
    String parent = proposed();
    Proposal nested = proposal(List.of(), parent);
    String child = nested.identity(AGENT).heldId();
    ask(parent, new HeldCallCommand.AnnounceChild(child));
    proposed(nested);
    approve(parent);
    assertThat(facts(parent).execution()).isEqualTo(Execution.NONE);
    ask(child, new HeldCallCommand.CancelCall(AGENT, null));
    tell(parent, new Wake());
    succeeds(parent);
    assertThat(awaitFacts(parent, HeldCallFacts::concluded).settledChildren())
        .containsExactly(child);
  }

  @Test
  void aChildThatNeverCameDoesNotHoldItsParentForEver() {
    String parent = proposed();
    ask(parent, new HeldCallCommand.AnnounceChild("hc_never"));
    approve(parent);
    assertThat(facts(parent).execution()).isEqualTo(Execution.NONE);
    WORLD.clock.advance(Duration.ofSeconds(61));
    tell(parent, new Wake());
    succeeds(parent);
    awaitFacts(parent, HeldCallFacts::concluded);
  }

  @Test
  void anIdleCallLeavesMemoryAndIsFoundAgain() {
    String heldId = proposed();
    WORLD.published.clear();
    HeldCallFacts before = facts(heldId);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1_500))
        .until(() -> facts(heldId).equals(before) && !WORLD.published.isEmpty());
    assertThat(WORLD.published).as("another incarnation asks again").contains("human");
  }

  @Test
  void aCallThatMovesLetsItsToolAnswerFirst() {
    String heldId = proposed();
    approve(heldId);
    FakeWorld.Tools.Dispatch dispatch = dispatched(heldId);
    tell(heldId, HeldCallEntity.stopMessage());
    assertThat(facts(heldId).execution()).isEqualTo(Execution.LEASED);
    dispatch.answer().complete(LiveCall.answer(true, "{'id': 'p-1'}"));
    assertThat(awaitFacts(heldId, HeldCallFacts::concluded).execution())
        .isEqualTo(Execution.EFFECT_RECORDED);
  }

  @Test
  void aCallThatMovesAnswersWhoWaitsForThePolicyFirst() {
    String heldId = proposed();
    HeldCallCommand approval = Attesting.approval(facts(heldId), ALICE, WORLD.clock.instant());
    WORLD.policies.slow(true);
    tell(heldId, new Execute(approval, 0, REPLIES.getRef()));
    var read = WORLD.policies.asked();
    tell(heldId, HeldCallEntity.stopMessage());
    WORLD.policies.slow(false);
    WORLD.policies.comes(read);
    assertThat(REPLIES.receiveMessage(PATIENCE).facts().execution()).isEqualTo(Execution.LEASED);
    succeeds(heldId);
    awaitFacts(heldId, HeldCallFacts::concluded);
  }

  @Test
  void aCallThatMovesAnswersWhoWaitsForAChangeAtOnce() {
    String heldId = proposed();
    tell(heldId, new HeldCallProtocol.Read(-1, 0, REPLIES.getRef()));
    long now = REPLIES.receiveMessage(PATIENCE).sequence();
    long longerThanPatience = PATIENCE.multipliedBy(10).toMillis();
    tell(heldId, new HeldCallProtocol.Read(now, longerThanPatience, REPLIES.getRef()));
    tell(heldId, HeldCallEntity.stopMessage());
    assertThat(REPLIES.receiveMessage(PATIENCE).sequence()).isEqualTo(now);
  }
}
