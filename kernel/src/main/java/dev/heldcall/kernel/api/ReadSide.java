package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.entity.HeldCallEntity;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.readside.DueIndex;
import dev.heldcall.kernel.readside.JournalTail;
import dev.heldcall.kernel.readside.JournalTailActor;
import dev.heldcall.kernel.readside.ReadSideWriter;
import dev.heldcall.kernel.readside.RouteSweeperActor;
import dev.heldcall.kernel.readside.RouteTable;
import dev.heldcall.kernel.readside.SweeperActor;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.Store;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.ShardedDaemonProcess;

/** What runs once in a cluster: the sweepers, a slice each, and the look at the journal's tail. */
final class ReadSide {

  private ReadSide() {}

  static void start(
      ActorSystem<?> system,
      Store store,
      JdbcExecutor jdbc,
      ReadSideWriter writer,
      JournalCodec codec,
      Clock clock) {
    ShardedDaemonProcess daemons = ShardedDaemonProcess.get(system);
    daemons.init(
        JournalTailActor.Message.class,
        "journal-tail",
        1,
        only -> JournalTailActor.create(new JournalTail(store, codec, writer), jdbc),
        new JournalTailActor.Stop());
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

  /** Looks after the routes to witnesses. */
  static void startRoutes(
      ActorSystem<?> system,
      RouteTable table,
      JdbcExecutor jdbc,
      Clock clock,
      Consumer<RouteRecord> withdraw) {
    ClusterSharding sharding = ClusterSharding.get(system);
    ShardedDaemonProcess.get(system)
        .init(
            RouteSweeperActor.Message.class,
            "witness-routes",
            1,
            only ->
                RouteSweeperActor.create(
                    table,
                    jdbc,
                    clock,
                    heldId ->
                        sharding
                            .entityRefFor(HeldCallEntity.KEY, heldId)
                            .tell(new HeldCallProtocol.Wake()),
                    withdraw),
            new RouteSweeperActor.Stop());
  }
}
