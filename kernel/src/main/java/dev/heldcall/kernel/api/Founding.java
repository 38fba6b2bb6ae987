package dev.heldcall.kernel.api;

import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.MemberLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.apache.pekko.cluster.typed.JoinSeedNodes;

/**
 * Brings this node into its cluster. Only the first seed may found one, and only while no member of
 * a cluster on this database is alive: one that is started again while it is cut off waits for the
 * others, and would otherwise go on as a second cluster for good.
 */
final class Founding {

  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration PACE = Duration.ofSeconds(2);

  sealed interface Message {}

  private record Look() implements Message {}

  private record Alive(boolean others) implements Message {}

  private record Held() implements Message {}

  private record Failed(Throwable why) implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final Cluster cluster;
  private final List<Address> seeds;
  private final MemberLock members;
  private final JdbcExecutor jdbc;
  private boolean told;
  private boolean wasUp;

  private Founding(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      List<Address> seeds,
      MemberLock members,
      JdbcExecutor jdbc) {
    this.context = context;
    this.timers = timers;
    this.cluster = Cluster.get(context.getSystem());
    this.seeds = seeds;
    this.members = members;
    this.jdbc = jdbc;
  }

  /**
   * Joins by the seeds, each {@code host:port}; without any this node is a cluster of its own.
   *
   * @param members whom to look for before, and held from when this node is up
   */
  static Behavior<Message> create(List<String> seeds, MemberLock members, JdbcExecutor jdbc) {
    List<Address> addresses =
        seeds.stream()
            .map(seed -> AddressFromURIString.parse("pekko://" + KernelConfig.SYSTEM + "@" + seed))
            .toList();
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Look());
                  return new Founding(context, timers, addresses, members, jdbc).joining();
                }));
  }

  private Behavior<Message> joining() {
    return Behaviors.receive(Message.class)
        .onMessage(Look.class, look -> onLook())
        .onMessage(Alive.class, alive -> onAlive(alive.others()))
        .onMessage(Held.class, held -> again(PACE))
        .onMessage(Failed.class, failed -> onFailed(failed.why()))
        .build();
  }

  private Behavior<Message> onLook() {
    MemberStatus status = cluster.selfMember().status();
    if (status.equals(MemberStatus.up())) {
      wasUp = true;
      context.pipeToSelf(
          jdbc.ask(
              () -> {
                members.hold();
                return true;
              }),
          (done, failure) -> failure == null ? new Held() : new Failed(failure));
      return Behaviors.same();
    }
    if (told || wasUp || !status.equals(MemberStatus.removed())) {
      return again(SOON);
    }
    if (seeds.isEmpty()) {
      cluster.manager().tell(Join.create(cluster.selfMember().address()));
      told = true;
      return again(SOON);
    }
    if (!seeds.getFirst().equals(cluster.selfMember().address())) {
      told = true;
      cluster.manager().tell(new JoinSeedNodes(seeds));
      return again(SOON);
    }
    context.pipeToSelf(
        jdbc.ask(members::othersAlive),
        (others, failure) -> failure == null ? new Alive(others) : new Failed(failure));
    return Behaviors.same();
  }

  private Behavior<Message> onAlive(boolean others) {
    List<Address> order = new ArrayList<>(seeds);
    if (others) {
      // Whoever is not the first of its seeds joins, and founds nothing.
      order.add(order.removeFirst());
      context.getLog().info("a cluster is alive on this database: this node joins, or waits");
    } else {
      told = true;
    }
    cluster.manager().tell(new JoinSeedNodes(order));
    return again(others ? PACE : SOON);
  }

  private Behavior<Message> onFailed(Throwable why) {
    context.getLog().warn("the members' lock does not answer: {}", String.valueOf(why));
    return again(PACE);
  }

  private Behavior<Message> again(Duration pause) {
    timers.startSingleTimer(new Look(), pause);
    return Behaviors.same();
  }
}
