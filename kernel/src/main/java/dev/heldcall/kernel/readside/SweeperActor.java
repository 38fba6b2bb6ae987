package dev.heldcall.kernel.readside;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Wakes calls whose time has come, from the due index. The index is a hint: a call that is woken
 * for nothing does nothing, and one that stays due is woken again after a pause.
 */
public final class SweeperActor {

  private static final Duration PACE = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(10);
  private static final int BATCH = 500;

  /** What the sweeper takes. */
  public sealed interface Message {}

  private record Sweep() implements Message {}

  private record Found(List<String> due) implements Message {}

  private record Failed(Throwable why) implements Message {}

  /** End; sent when the node's share of the work moves. */
  public record Stop() implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final DueIndex index;
  private final Executor jdbc;
  private final Clock clock;
  private final Consumer<String> wake;

  private SweeperActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      DueIndex index,
      Executor jdbc,
      Clock clock,
      Consumer<String> wake) {
    this.context = context;
    this.timers = timers;
    this.index = index;
    this.jdbc = jdbc;
    this.clock = clock;
    this.wake = wake;
  }

  /**
   * A sweeper of one slice.
   *
   * @param wake sends a tick to the call
   */
  public static Behavior<Message> create(
      DueIndex index, Executor jdbc, Clock clock, Consumer<String> wake) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Sweep(), PACE);
                  return new SweeperActor(context, timers, index, jdbc, clock, wake).waiting();
                }));
  }

  private Behavior<Message> waiting() {
    return Behaviors.receive(Message.class)
        .onMessage(Sweep.class, sweep -> look())
        .onMessage(Found.class, found -> Behaviors.same())
        .onMessage(Failed.class, failed -> Behaviors.same())
        .onMessage(Stop.class, stop -> Behaviors.stopped())
        .onSignal(PostStop.class, signal -> Behaviors.same())
        .build();
  }

  private Behavior<Message> look() {
    context.pipeToSelf(
        due(clock.millis()),
        (due, failure) -> failure == null ? new Found(due) : new Failed(failure));
    return looking();
  }

  private CompletionStage<List<String>> due(long now) {
    try {
      return CompletableFuture.supplyAsync(
          () -> index.takeDue(now, now + AGAIN.toMillis(), BATCH), jdbc);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Behavior<Message> looking() {
    return Behaviors.receive(Message.class)
        .onMessage(Sweep.class, sweep -> Behaviors.same())
        .onMessage(
            Found.class,
            found -> {
              found.due().forEach(wake);
              if (found.due().size() == BATCH) {
                context.getSelf().tell(new Sweep());
              }
              return waiting();
            })
        .onMessage(
            Failed.class,
            failed -> {
              context
                  .getLog()
                  .warn(
                      "due calls could not be read, again soon: {}", String.valueOf(failed.why()));
              return waiting();
            })
        .onMessage(
            Stop.class,
            stop -> {
              timers.cancelAll();
              return Behaviors.stopped();
            })
        .build();
  }
}
