package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Asks a tool what came of a dispatch until it is known, and reports every answer. It asks at once;
 * after "no effect" that was asked too early to count (the design, rule 2), again as soon as one
 * counts; after an answer that cannot tell, again after a pause that doubles up to a bound, for as
 * long as it lives. It stops after an effect, or after a "no effect" that counts.
 */
public final class ReadBackActor extends AbstractBehavior<ReadBackActor.Command> {

  /** What it tells itself. */
  public sealed interface Command {}

  private record Ask() implements Command {}

  private record Answered(int question, ReadBackReport report) implements Command {}

  private record NotAnswered(int question) implements Command {}

  /**
   * What one question brought.
   *
   * @param leaseId the lease that was asked about
   * @param askedAt when it was asked, taken before asking
   * @param report the answer
   */
  public record Report(String leaseId, Instant askedAt, ReadBackReport report) {}

  /**
   * How often to ask.
   *
   * @param first the pause after the first answer that cannot tell; doubled after each
   * @param longest the longest pause
   * @param giveUp after which a question counts as not answered
   */
  public record Schedule(Duration first, Duration longest, Duration giveUp) {

    public Schedule {
      if (!first.isPositive() || !longest.isPositive() || !giveUp.isPositive()) {
        throw new IllegalArgumentException("pauses of read-backs are longer than nothing");
      }
    }
  }

  private final DispatchOrder order;
  private final ToolPort port;
  private final Schedule schedule;
  private final Clock clock;
  private final ActorRef<Report> replyTo;
  private final TimerScheduler<Command> timers;
  private Duration pause;
  private Instant askedAt = Instant.EPOCH;
  private int question;

  private ReadBackActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      DispatchOrder order,
      ToolPort port,
      Schedule schedule,
      Clock clock,
      ActorRef<Report> replyTo) {
    super(context);
    this.timers = timers;
    this.order = order;
    this.port = port;
    this.schedule = schedule;
    this.clock = clock;
    this.replyTo = replyTo;
    this.pause = schedule.first();
  }

  /**
   * The behavior.
   *
   * @param order whose lease to ask about; neither its permit nor its window is used
   * @param port whom to ask
   * @param schedule how often
   * @param clock the node's time
   * @param replyTo gets a report for each question
   */
  public static Behavior<Command> create(
      DispatchOrder order,
      ToolPort port,
      Schedule schedule,
      Clock clock,
      ActorRef<Report> replyTo) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Ask());
                  return new ReadBackActor(context, timers, order, port, schedule, clock, replyTo);
                }));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Ask.class, ask -> ask())
        .onMessage(Answered.class, answer -> answered(answer.question(), answer.report()))
        .onMessage(
            NotAnswered.class,
            none ->
                answered(
                    none.question(), new ReadBackReport.CannotTell("the read-back took too long")))
        .build();
  }

  private Behavior<Command> ask() {
    question++;
    int asked = question;
    askedAt = clock.instant();
    timers.startSingleTimer(NotAnswered.class, new NotAnswered(asked), schedule.giveUp());
    getContext()
        .pipeToSelf(
            asked(), (report, failure) -> new Answered(asked, orCannotTell(report, failure)));
    return this;
  }

  private CompletionStage<ReadBackReport> asked() {
    try {
      return port.readBack(order);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private static ReadBackReport orCannotTell(
      @Nullable ReadBackReport report, @Nullable Throwable failure) {
    return report != null
        ? report
        : new ReadBackReport.CannotTell(
            "the read-back failed: "
                + (failure == null ? "no report" : failure.getClass().getSimpleName()));
  }

  private Behavior<Command> answered(int answers, ReadBackReport report) {
    if (answers != question) {
      return this;
    }
    // a late answer to this question is none
    question++;
    timers.cancel(NotAnswered.class);
    Behavior<Command> next = next(report);
    replyTo.tell(new Report(order.lease().leaseId(), askedAt, report));
    return next;
  }

  private Behavior<Command> next(ReadBackReport report) {
    return switch (report) {
      case ReadBackReport.Effect effect -> Behaviors.stopped();
      case ReadBackReport.NoEffect noEffect -> {
        Lease lease = order.lease();
        yield LeaseRules.noEffectCounts(lease, askedAt)
            ? Behaviors.stopped()
            : askAfter(Duration.between(clock.instant(), lease.settlesAt()));
      }
      case ReadBackReport.CannotTell cannotTell -> {
        Duration now = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(schedule.longest()) < 0 ? doubled : schedule.longest();
        yield askAfter(now);
      }
    };
  }

  /** A timer has no finer grain than a millisecond, and must not fire before its time. */
  private Behavior<Command> askAfter(Duration delay) {
    Duration after = delay.isPositive() ? delay : Duration.ZERO;
    timers.startSingleTimer(Ask.class, new Ask(), after.plusMillis(1));
    return this;
  }
}
