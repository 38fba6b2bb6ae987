package dev.heldcall.kernel.readside;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Has the journal's tail looked at every second; one in the whole cluster. */
public final class JournalTailActor {

  private static final Duration PACE = Duration.ofSeconds(1);

  /** What it takes. */
  public sealed interface Message {}

  private record Look() implements Message {}

  private record Looked() implements Message {}

  private record Failed(Throwable why) implements Message {}

  /** End; sent when the work moves to another node. */
  public record Stop() implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final JournalTail tail;
  private final Executor jdbc;

  private JournalTailActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      JournalTail tail,
      Executor jdbc) {
    this.context = context;
    this.timers = timers;
    this.tail = tail;
    this.jdbc = jdbc;
  }

  /**
   * The behavior; its first look is at once.
   *
   * @param jdbc where the database is waited for
   */
  public static Behavior<Message> create(JournalTail tail, Executor jdbc) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Look());
                  return new JournalTailActor(context, timers, tail, jdbc).behavior();
                }));
  }

  private Behavior<Message> behavior() {
    return Behaviors.receive(Message.class)
        .onMessage(Look.class, look -> look())
        .onMessage(Looked.class, looked -> again())
        .onMessage(
            Failed.class,
            failed -> {
              context
                  .getLog()
                  .warn(
                      "the index was not held against the journal, again in {}: {}",
                      PACE,
                      String.valueOf(failed.why()));
              return again();
            })
        .onMessage(Stop.class, stop -> Behaviors.stopped())
        .build();
  }

  private Behavior<Message> look() {
    context.pipeToSelf(
        looked(), (done, failure) -> failure == null ? new Looked() : new Failed(failure));
    return Behaviors.same();
  }

  private CompletionStage<Integer> looked() {
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return tail.look(System.nanoTime());
            } catch (SQLException e) {
              throw new CompletionException(e);
            }
          },
          jdbc);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Behavior<Message> again() {
    timers.startSingleTimer(new Look(), PACE);
    return Behaviors.same();
  }
}
