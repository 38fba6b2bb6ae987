package dev.heldcall.kernel.session;

import dev.heldcall.kernel.codec.KernelMessage;
import dev.heldcall.kernel.session.SessionEvent.CallLinked;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a root session's graph, so that two links cannot close a cycle together. A link
 * that changes nothing costs no write: a call without edges need not ask at all.
 */
public final class SessionEntity
    extends EventSourcedBehavior<SessionEntity.Command, SessionEvent, SessionGraph> {

  /** How sharding knows the sessions. */
  public static final EntityTypeKey<Command> TYPE_KEY =
      EntityTypeKey.create(Command.class, "session");

  private static final Duration IDLE_AFTER = Duration.ofMinutes(2);

  private final ActorContext<Command> context;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final Clock clock;

  private SessionEntity(
      ActorContext<Command> context,
      ActorRef<ClusterSharding.ShardCommand> shard,
      String key,
      Clock clock) {
    super(
        PersistenceId.ofUniqueId(persistenceId(key)),
        SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.2));
    this.context = context;
    this.shard = shard;
    this.clock = clock;
  }

  /**
   * The behavior of one session.
   *
   * @param key names the session, opaque
   * @param shard whom to ask for passivation
   * @param clock stamps the events
   */
  public static Behavior<Command> create(
      String key, ActorRef<ClusterSharding.ShardCommand> shard, Clock clock) {
    return Behaviors.setup(
        context -> {
          context.setReceiveTimeout(IDLE_AFTER, Internal.IDLE);
          return new SessionEntity(context, shard, key, clock);
        });
  }

  /** What {@link ClusterSharding#init} takes. */
  public static Entity<Command, ?> sharded(Clock clock) {
    return Entity.of(TYPE_KEY, context -> create(context.getEntityId(), context.getShard(), clock))
        .withStopMessage(Internal.STOP);
  }

  /** Where the journal keeps the session of that key. */
  public static String persistenceId(String key) {
    return "session|" + key;
  }

  /** What a session is asked. */
  public sealed interface Command extends KernelMessage {}

  /**
   * Asks that a call get its edges, in place of those that it brought before.
   *
   * @param heldId the call
   * @param dependsOn whom it waits for
   * @param parent who waits for it, or null
   */
  public record Link(
      String heldId, List<String> dependsOn, @Nullable String parent, ActorRef<LinkReply> replyTo)
      implements Command {
    public Link {
      dependsOn = List.copyOf(dependsOn);
    }
  }

  private enum Internal implements Command {
    IDLE,
    STOP
  }

  /** What became of a link. */
  public sealed interface LinkReply extends KernelMessage {}

  /** The call has its edges, in the journal. */
  public record Linked() implements LinkReply {}

  /**
   * Refused: the call would wait for itself.
   *
   * @param path from the call back to the call
   */
  public record RefusedCycle(List<String> path) implements LinkReply {
    public RefusedCycle {
      path = List.copyOf(path);
    }
  }

  /**
   * Refused: calls would wait for one another over more than {@link SessionGraph#MAX_LEVELS}
   * levels.
   */
  public record RefusedDepth(int levels) implements LinkReply {}

  /** Refused: the session has {@link SessionGraph#MAX_CALLS} calls with edges. */
  public record RefusedBound() implements LinkReply {}

  @Override
  public SessionGraph emptyState() {
    return SessionGraph.EMPTY;
  }

  @Override
  public EventHandler<SessionGraph, SessionEvent> eventHandler() {
    return (graph, event) ->
        switch (event) {
          case CallLinked linked ->
              graph.with(linked.heldId(), linked.dependsOn(), linked.parent());
        };
  }

  @Override
  public CommandHandler<Command, SessionEvent, SessionGraph> commandHandler() {
    return (graph, command) ->
        switch (command) {
          case Link link -> link(graph, link);
          case Internal.IDLE -> {
            shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
            yield Effect().none();
          }
          case Internal.STOP -> Effect().stop();
        };
  }

  private Effect<SessionEvent, SessionGraph> link(SessionGraph graph, Link link) {
    ActorRef<LinkReply> replyTo = link.replyTo();
    if (graph.holds(link.heldId(), link.dependsOn(), link.parent())) {
      return Effect().reply(replyTo, new Linked());
    }
    return switch (graph.link(link.heldId(), link.dependsOn(), link.parent())) {
      case SessionGraph.Accepted _ -> {
        var event = new CallLinked(link.heldId(), link.dependsOn(), link.parent(), clock.instant());
        yield Effect().persist(List.of(event)).thenReply(replyTo, _ -> new Linked());
      }
      case SessionGraph.Cycle(var path) -> Effect().reply(replyTo, new RefusedCycle(path));
      case SessionGraph.TooDeep(var levels) -> Effect().reply(replyTo, new RefusedDepth(levels));
      case SessionGraph.Full() -> Effect().reply(replyTo, new RefusedBound());
    };
  }
}
