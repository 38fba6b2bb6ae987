package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.store.JdbcExecutor;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Finds the routes at which there is something to do: wakes the call whose route it is, or has a
 * request taken back that is no longer wanted. What is missed is found again after a pause.
 */
public final class RouteSweeperActor {

  private static final Duration PACE = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(15);
  private static final int BATCH = 200;

  /** What the sweeper takes. */
  public sealed interface Message {}

  private record Sweep() implements Message {}

  private record Found(List<RouteRecord> due) implements Message {}

  private record Failed(Throwable why) implements Message {}

  /** End; sent when the node's share of the work moves. */
  public record Stop() implements Message {}

  private final ActorContext<Message> context;
  private final RouteTable table;
  private final JdbcExecutor jdbc;
  private final Clock clock;
  private final Consumer<String> wake;
  private final Consumer<RouteRecord> withdraw;

  private RouteSweeperActor(
      ActorContext<Message> context,
      RouteTable table,
      JdbcExecutor jdbc,
      Clock clock,
      Consumer<String> wake,
      Consumer<RouteRecord> withdraw) {
    this.context = context;
    this.table = table;
    this.jdbc = jdbc;
    this.clock = clock;
    this.wake = wake;
    this.withdraw = withdraw;
  }

  /**
   * The sweeper of all routes.
   *
   * @param wake sends a tick to the call
   * @param withdraw takes a request back
   */
  public static Behavior<Message> create(
      RouteTable table,
      JdbcExecutor jdbc,
      Clock clock,
      Consumer<String> wake,
      Consumer<RouteRecord> withdraw) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Sweep(), PACE);
                  return new RouteSweeperActor(context, table, jdbc, clock, wake, withdraw)
                      .behavior(false);
                }));
  }

  private Behavior<Message> behavior(boolean looking) {
    return Behaviors.receive(Message.class)
        .onMessage(
            Sweep.class,
            sweep -> {
              if (looking) {
                return Behaviors.same();
              }
              context.pipeToSelf(
                  due(clock.millis()),
                  (due, failure) -> failure == null ? new Found(due) : new Failed(failure));
              return behavior(true);
            })
        .onMessage(
            Found.class,
            found -> {
              act(found.due());
              if (found.due().size() == BATCH) {
                context.getSelf().tell(new Sweep());
              }
              return behavior(false);
            })
        .onMessage(
            Failed.class,
            failed -> {
              context
                  .getLog()
                  .warn(
                      "due witness routes could not be read, again soon: {}",
                      String.valueOf(failed.why()));
              return behavior(false);
            })
        .onMessage(Stop.class, stop -> Behaviors.stopped())
        .build();
  }

  private CompletionStage<List<RouteRecord>> due(long now) {
    try {
      return jdbc.ask(() -> table.takeDue(now, AGAIN.toMillis(), BATCH));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void act(List<RouteRecord> due) {
    due.stream().filter(each -> each.state() == RouteState.UNWANTED).forEach(withdraw);
    due.stream()
        .filter(each -> each.state() != RouteState.UNWANTED)
        .map(each -> each.key().heldId())
        .distinct()
        .forEach(wake);
  }
}
