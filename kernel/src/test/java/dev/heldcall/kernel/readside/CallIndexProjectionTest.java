package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.codec.KernelSerialization;
import dev.heldcall.kernel.deliver.MailboxWriter;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.persistence.jdbc.query.javadsl.JdbcReadJournal;
import org.apache.pekko.projection.ProjectionBehavior;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.eventsourced.EventEnvelope;
import org.apache.pekko.projection.eventsourced.javadsl.EventSourcedProvider;
import org.apache.pekko.projection.jdbc.javadsl.JdbcHandler;
import org.apache.pekko.projection.jdbc.javadsl.JdbcProjection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class CallIndexProjectionTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  /** A store and the projection's handler on it. */
  private record Fixture(Store store, CallIndex index, Mailbox mailbox, Edges edges) {

    static Fixture on(Store store) {
      return new Fixture(store, new CallIndex(store), new Mailbox(store), new Edges(store));
    }

    CallIndexProjection handler() {
      MailboxWriter writer = new MailboxWriter(mailbox);
      return new CallIndexProjection(
          index, edges, new WrittenConclusions(writer), JournalRows.CODEC);
    }

    void process(List<EventEnvelope<HeldCallEvent>> group) throws Exception {
      PooledSession session = new PooledSession(store.dataSource());
      try {
        handler().process(session, group);
        session.commit();
      } finally {
        session.close();
      }
    }

    CallRow row(LiveCall call) throws SQLException {
      return index.find(JournalRows.heldId(call)).orElseThrow();
    }

    List<Mailbox.Item> deliveries(LiveCall call) throws SQLException {
      return mailbox.list(SessionKey.of(call.facts().requireSpec()), 0, 100);
    }
  }

  private record WrittenConclusions(MailboxWriter writer)
      implements CallIndexProjection.Conclusions {
    @Override
    public void offer(java.sql.Connection connection, dev.heldcall.kernel.call.HeldCallFacts facts)
        throws SQLException {
      writer.offer(connection, facts);
    }

    @Override
    public void acknowledged(
        java.sql.Connection connection, dev.heldcall.kernel.call.HeldCallFacts facts)
        throws SQLException {
      writer.acknowledged(connection, facts);
    }
  }

  private static LiveCall concluded(String callId) {
    LiveCall call = JournalRows.call(callId, HUMAN);
    call.approve(ALICE);
    call.answered("{'id': 'p-1'}");
    return call;
  }

  @ParameterizedTest
  @EnumSource
  void followsACallThroughItsLife(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      LiveCall call = JournalRows.call("c-1", HUMAN);
      projected.process(JournalRows.write(store, call));
      assertThat(projected.row(call)).isEqualTo(CallRows.of(call.facts(), 2));
      assertThat(projected.deliveries(call)).isEmpty();

      call.approve(ALICE);
      call.answered("{'id': 'p-1'}");
      projected.process(JournalRows.write(store, call));
      assertThat(projected.row(call).state()).isEqualTo(CallState.ENDED);
      assertThat(projected.deliveries(call))
          .extracting(Mailbox.Item::acknowledged)
          .containsExactly(false);

      call.acknowledge();
      projected.process(JournalRows.write(store, call));
      assertThat(projected.row(call)).isEqualTo(CallRows.of(call.facts(), 7));
      assertThat(projected.deliveries(call))
          .extracting(Mailbox.Item::acknowledged)
          .containsExactly(true);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGroupToldTwiceOrInPiecesGivesOneState(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      LiveCall call = concluded("c-1");
      LiveCall other = concluded("c-2");
      List<EventEnvelope<HeldCallEvent>> group = new ArrayList<>(JournalRows.write(store, call));
      group.addAll(JournalRows.write(store, other));
      projected.process(group);
      CallRow row = projected.row(call);
      List<Mailbox.Item> deliveries = projected.deliveries(call);
      assertThat(deliveries).hasSize(2);

      projected.process(group);
      for (EventEnvelope<HeldCallEvent> each : group.reversed()) {
        projected.process(List.of(each));
      }
      assertThat(projected.row(call)).isEqualTo(row);
      assertThat(projected.deliveries(call)).isEqualTo(deliveries);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRollbackLeavesNothing(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      LiveCall call = concluded("c-1");
      List<EventEnvelope<HeldCallEvent>> group = JournalRows.write(store, call);
      PooledSession session = new PooledSession(store.dataSource());
      projected.handler().process(session, group);
      session.rollback();
      session.close();
      assertThat(projected.index().find(JournalRows.heldId(call))).isEmpty();
      assertThat(projected.deliveries(call)).isEmpty();

      projected.process(group);
      assertThat(projected.deliveries(call)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeliveryThatIsThereKeepsItsPlaceAndContent(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      LiveCall first = concluded("c-1");
      LiveCall second = concluded("c-2");
      MailboxWriter writer = new MailboxWriter(projected.mailbox());
      store.inTransaction(
          connection -> {
            writer.offer(connection, second.facts());
            return true;
          });
      List<EventEnvelope<HeldCallEvent>> group = new ArrayList<>(JournalRows.write(store, first));
      group.addAll(JournalRows.write(store, second));
      projected.process(group);

      assertThat(projected.deliveries(first))
          .extracting(Mailbox.Item::deliveryId)
          .containsExactly(
              OutcomeJson.deliveryId(second.facts()), OutcomeJson.deliveryId(first.facts()));
      assertThat(projected.deliveries(first))
          .extracting(Mailbox.Item::item)
          .containsExactly(
              MailboxWriter.item(second.facts()).toString(),
              MailboxWriter.item(first.facts()).toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsThatWaitForAConcludedOneAreDue(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      LiveCall first = JournalRows.call("c-1", HUMAN);
      LiveCall second = JournalRows.call("c-2", HUMAN, JournalRows.heldId(first));
      projected.process(JournalRows.write(store, second));
      DueIndex due = new DueIndex(store, Slices.of(JournalRows.heldId(second)));
      long later = second.now().toEpochMilli() + 100_000_000;
      due.takeDue(second.now().toEpochMilli(), later, 10);
      assertThat(projected.edges().dependentsOf(JournalRows.heldId(first), 10)).hasSize(1);

      first.cancel();
      projected.process(JournalRows.write(store, first));
      assertThat(due.takeDue(first.now().toEpochMilli(), later, 10))
          .containsExactly(JournalRows.heldId(second));
    }
  }

  /** Exactly once: what a crash before the offset leaves is nothing, and it is done again. */
  @ParameterizedTest
  @EnumSource
  void aCrashBeforeTheOffsetLosesNothingAndDoublesNothing(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open()) {
      Fixture projected = Fixture.on(store);
      List<LiveCall> calls = new ArrayList<>();
      Map<String, List<LiveCall>> bySlice = new HashMap<>();
      for (int i = 0; i < 8; i++) {
        LiveCall call = concluded("c-" + i);
        calls.add(call);
        String tag = Slices.tag(Slices.of(JournalRows.heldId(call)));
        bySlice.computeIfAbsent(tag, key -> new ArrayList<>()).add(call);
        JournalRows.write(store, call);
      }
      ProjectionBarrier barrier =
          new ProjectionBarrier(store, "call-index", List.copyOf(bySlice.keySet()));
      Map<String, Long> mark = barrier.mark();
      ActorTestKit kit = ActorTestKit.create(KernelSerialization.under(store.pekkoConfig()));
      AtomicInteger crashes = new AtomicInteger(2 * bySlice.size());
      try {
        bySlice.keySet().forEach(tag -> kit.spawn(projection(kit, projected, tag, crashes)));
        await().atMost(PATIENCE).until(() -> barrier.passed(mark));
      } finally {
        kit.shutdownTestKit();
      }
      assertThat(crashes.get()).as("every projection crashed").isNotPositive();
      for (LiveCall call : calls) {
        assertThat(projected.row(call)).isEqualTo(CallRows.of(call.facts(), 6));
      }
      assertThat(projected.deliveries(calls.getFirst()))
          .extracting(Mailbox.Item::seq)
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }
  }

  private static org.apache.pekko.actor.typed.Behavior<ProjectionBehavior.Command> projection(
      ActorTestKit kit, Fixture projected, String tag, AtomicInteger crashes) {
    return ProjectionBehavior.create(
        JdbcProjection.groupedWithin(
                ProjectionId.of("call-index", tag),
                EventSourcedProvider.<HeldCallEvent>eventsByTag(
                    kit.system(), JdbcReadJournal.Identifier(), tag),
                () -> session(projected.store()),
                () -> new Crashing(projected.handler(), crashes),
                kit.system())
            .withGroup(3, Duration.ofMillis(20))
            .withRestartBackoff(Duration.ofMillis(50), Duration.ofMillis(200), 0.1));
  }

  private static PooledSession session(Store store) {
    try {
      return new PooledSession(store.dataSource());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Crashes once the rows are written, and before the offset is. */
  private static final class Crashing
      extends JdbcHandler<List<EventEnvelope<HeldCallEvent>>, PooledSession> {
    private final CallIndexProjection handler;
    private final AtomicInteger crashes;

    Crashing(CallIndexProjection handler, AtomicInteger crashes) {
      this.handler = handler;
      this.crashes = crashes;
    }

    @Override
    public void process(PooledSession session, List<EventEnvelope<HeldCallEvent>> group)
        throws Exception {
      handler.process(session, group);
      if (crashes.getAndDecrement() > 0) {
        throw new IllegalStateException("crashed before the offset");
      }
    }
  }
}
