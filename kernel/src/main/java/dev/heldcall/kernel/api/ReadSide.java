package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.deliver.MailboxWriter;
import dev.heldcall.kernel.entity.HeldCallEntity;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.readside.CallIndex;
import dev.heldcall.kernel.readside.CallIndexProjection;
import dev.heldcall.kernel.readside.DueIndex;
import dev.heldcall.kernel.readside.Edges;
import dev.heldcall.kernel.readside.PooledSession;
import dev.heldcall.kernel.readside.ProjectionBarrier;
import dev.heldcall.kernel.readside.SweeperActor;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.ShardedDaemonProcess;
import org.apache.pekko.persistence.jdbc.query.javadsl.JdbcReadJournal;
import org.apache.pekko.persistence.query.Offset;
import org.apache.pekko.projection.ProjectionBehavior;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.eventsourced.EventEnvelope;
import org.apache.pekko.projection.eventsourced.javadsl.EventSourcedProvider;
import org.apache.pekko.projection.javadsl.SourceProvider;
import org.apache.pekko.projection.jdbc.javadsl.JdbcProjection;

/** The projections and sweepers, spread over the cluster a slice each. */
final class ReadSide {

  private static final String PROJECTION = "call-index";
  private static final int GROUP = 200;
  private static final Duration GROUP_WITHIN = Duration.ofMillis(20);

  private ReadSide() {}

  static ProjectionBarrier barrier(Store store) {
    List<String> tags = new ArrayList<>();
    for (int slice = 0; slice < Slices.COUNT; slice++) {
      tags.add(Slices.tag(slice));
    }
    return new ProjectionBarrier(store, PROJECTION, tags);
  }

  static void start(
      ActorSystem<?> system,
      Store store,
      JdbcExecutor jdbc,
      MailboxWriter mailbox,
      JournalCodec codec,
      Clock clock) {
    ShardedDaemonProcess daemons = ShardedDaemonProcess.get(system);
    daemons.init(
        ProjectionBehavior.Command.class,
        PROJECTION,
        Slices.COUNT,
        slice -> projection(system, store, mailbox, codec, Slices.tag(slice)),
        ProjectionBehavior.stopMessage());
    ClusterSharding sharding = ClusterSharding.get(system);
    daemons.init(
        SweeperActor.Message.class,
        "sweeper",
        Slices.COUNT,
        slice ->
            SweeperActor.create(
                new DueIndex(store, slice),
                jdbc,
                clock,
                heldId ->
                    sharding
                        .entityRefFor(HeldCallEntity.KEY, heldId)
                        .tell(new HeldCallProtocol.Wake())),
        new SweeperActor.Stop());
  }

  private static Behavior<ProjectionBehavior.Command> projection(
      ActorSystem<?> system, Store store, MailboxWriter mailbox, JournalCodec codec, String tag) {
    SourceProvider<Offset, EventEnvelope<HeldCallEvent>> events =
        EventSourcedProvider.eventsByTag(system, JdbcReadJournal.Identifier(), tag);
    Supplier<PooledSession> sessions =
        () -> {
          try {
            return new PooledSession(store.dataSource());
          } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
          }
        };
    return ProjectionBehavior.create(
        JdbcProjection.groupedWithin(
                ProjectionId.of(PROJECTION, tag),
                events,
                sessions,
                () ->
                    new CallIndexProjection(
                        new CallIndex(store), new Edges(store), new Conclusions(mailbox), codec),
                system)
            .withGroup(GROUP, GROUP_WITHIN));
  }

  private record Conclusions(MailboxWriter mailbox) implements CallIndexProjection.Conclusions {
    @Override
    public void offer(Connection connection, HeldCallFacts facts) throws SQLException {
      mailbox.offer(connection, facts);
    }

    @Override
    public void acknowledged(Connection connection, HeldCallFacts facts) throws SQLException {
      mailbox.acknowledged(connection, facts);
    }
  }
}
