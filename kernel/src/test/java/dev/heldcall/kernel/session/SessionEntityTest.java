package dev.heldcall.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.codec.KernelSerialization;
import dev.heldcall.kernel.session.SessionEntity.Link;
import dev.heldcall.kernel.session.SessionEntity.LinkReply;
import dev.heldcall.kernel.session.SessionEntity.Linked;
import dev.heldcall.kernel.session.SessionEntity.RefusedBound;
import dev.heldcall.kernel.session.SessionEntity.RefusedCycle;
import dev.heldcall.kernel.session.SessionEntity.RefusedDepth;
import dev.heldcall.kernel.session.SessionEvent.CallLinked;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.persistence.testkit.javadsl.EventSourcedBehaviorTestKit;
import org.apache.pekko.persistence.testkit.javadsl.EventSourcedBehaviorTestKit.CommandResultWithReply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SessionEntityTest {

  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          KernelSerialization.under(
              ManualTime.config().withFallback(EventSourcedBehaviorTestKit.config())));

  private final TestProbe<ClusterSharding.ShardCommand> shard =
      KIT.createTestProbe(ClusterSharding.ShardCommand.class);
  private final EventSourcedBehaviorTestKit<SessionEntity.Command, SessionEvent, SessionGraph>
      session =
          EventSourcedBehaviorTestKit.create(
              KIT.system(),
              SessionEntity.create("s", shard.getRef(), Clock.fixed(NOW, ZoneOffset.UTC)),
              EventSourcedBehaviorTestKit.enabledSerializationSettings().withVerifyState(false));

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private CommandResultWithReply<SessionEntity.Command, SessionEvent, SessionGraph, LinkReply> link(
      String heldId, List<String> dependsOn, @Nullable String parent) {
    return session.runCommand(
        (ActorRef<LinkReply> replyTo) -> new Link(heldId, dependsOn, parent, replyTo));
  }

  @Test
  void writesTheEdgesOfACallAndThenAnswers() {
    var result = link("b", List.of("a"), "p");

    assertThat(result.events()).containsExactly(new CallLinked("b", List.of("a"), "p", NOW));
    assertThat(result.reply()).isEqualTo(new Linked());
    assertThat(result.state().waitsFor("b")).containsExactly("a");
  }

  @Test
  void writesNothingForALinkThatChangesNothing() {
    link("b", List.of("a"), "p");

    assertThat(link("b", List.of("a"), "p").hasNoEvents()).isTrue();
    assertThat(link("b", List.of("a"), "p").reply()).isEqualTo(new Linked());
    assertThat(link("free", List.of(), null).hasNoEvents()).isTrue();
    assertThat(link("free", List.of(), null).reply()).isEqualTo(new Linked());
  }

  @Test
  void refusesACycleWithoutAWrite() {
    link("b", List.of("a"), null);
    var result = link("a", List.of("b"), null);

    assertThat(result.hasNoEvents()).isTrue();
    assertThat(result.reply()).isEqualTo(new RefusedCycle(List.of("a", "b", "a")));
  }

  @Test
  void refusesTheSeventeenthLevelAlsoAfterARestart() {
    for (int level = 2; level <= 16; level++) {
      assertThat(link("c" + level, List.of("c" + (level - 1)), null).reply())
          .isEqualTo(new Linked());
    }
    session.restart();
    var result = link("c17", List.of("c16"), null);

    assertThat(result.hasNoEvents()).isTrue();
    assertThat(result.reply()).isEqualTo(new RefusedDepth(17));
  }

  @Test
  void refusesMoreCallsThanItsBound() {
    session.initialize(full());

    assertThat(link("one-more", List.of("a"), null).reply()).isEqualTo(new RefusedBound());
  }

  private static SessionGraph full() {
    SessionGraph graph = SessionGraph.EMPTY;
    for (int i = 0; i < SessionGraph.MAX_CALLS; i++) {
      graph = graph.with("c" + i, List.of("root"), null);
    }
    return graph;
  }

  @Test
  void forgetsTheEdgesOfATryThatCreatedNoCall() {
    link("b", List.of("a"), null);
    var again = link("b", List.of("x"), null);

    assertThat(again.event()).isEqualTo(new CallLinked("b", List.of("x"), null, NOW));
    assertThat(link("a", List.of("b"), null).reply()).isEqualTo(new Linked());
  }

  @Test
  void asksToBePassivatedAfterTwoIdleMinutesAndStops() {
    var clock = Clock.fixed(NOW, ZoneOffset.UTC);
    var replies = KIT.createTestProbe(LinkReply.class);
    var idle = KIT.spawn(SessionEntity.create("idle", shard.getRef(), clock));
    idle.tell(new Link("b", List.of("a"), null, replies.getRef()));
    replies.expectMessage(new Linked());
    ManualTime.get(KIT.system()).timePasses(Duration.ofMinutes(2));

    shard.expectMessageClass(ClusterSharding.Passivate.class);
    SessionEntity.sharded(clock).stopMessage().ifPresent(idle::tell);
    replies.expectTerminated(idle);
  }

  @Test
  void liesInTheJournalUnderItsKey() {
    assertThat(SessionEntity.persistenceId("acme|a|s-1")).isEqualTo("session|acme|a|s-1");
  }
}
