package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.DispatchReport;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Has one dispatch sent and reports once what came of it, then stops. It is the child of the call
 * that holds the lease. Whatever goes wrong in here, and also being stopped, is reported as
 * unknown: only a port has proof that nothing was sent.
 */
public final class ExecutorActor extends AbstractBehavior<ExecutorActor.Command> {

  /** How long after the deadline a port may still say itself what came of it. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** What it tells itself. */
  public sealed interface Command {}

  private record Came(DispatchReport report) implements Command {}

  private record Overdue() implements Command {}

  /**
   * What came of the dispatch.
   *
   * @param leaseId the lease it was sent under
   * @param report what came of it
   */
  public record Report(String leaseId, DispatchReport report) {}

  private final String leaseId;
  private final ActorRef<Report> replyTo;
  private boolean reported;

  private ExecutorActor(ActorContext<Command> context, String leaseId, ActorRef<Report> replyTo) {
    super(context);
    this.leaseId = leaseId;
    this.replyTo = replyTo;
  }

  /**
   * The behavior.
   *
   * @param order what to send; its lease is in the journal
   * @param port who sends it
   * @param clock what the lease's deadline is measured by
   * @param replyTo gets exactly one report
   */
  public static Behavior<Command> create(
      DispatchOrder order, ToolPort port, Clock clock, ActorRef<Report> replyTo) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  Duration left = Duration.between(clock.instant(), order.lease().deadline());
                  timers.startSingleTimer(
                      new Overdue(), (left.isNegative() ? Duration.ZERO : left).plus(GRACE));
                  context.pipeToSelf(dispatched(order, port), ExecutorActor::came);
                  return new ExecutorActor(context, order.lease().leaseId(), replyTo);
                }));
  }

  private static CompletionStage<DispatchReport> dispatched(DispatchOrder order, ToolPort port) {
    try {
      return port.dispatch(order);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private static Command came(@Nullable DispatchReport report, @Nullable Throwable failure) {
    return new Came(
        report != null
            ? report
            : new DispatchReport.Unknown(
                "the executor failed: "
                    + (failure == null ? "no report" : failure.getClass().getSimpleName())));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Came.class, came -> conclude(came.report()))
        .onMessage(
            Overdue.class,
            overdue -> conclude(new DispatchReport.Unknown("no answer by the deadline")))
        .onSignal(PostStop.class, signal -> stopped())
        .build();
  }

  private Behavior<Command> conclude(DispatchReport report) {
    say(report);
    return Behaviors.stopped();
  }

  private Behavior<Command> stopped() {
    say(new DispatchReport.Unknown("the executor was stopped before it knew"));
    return Behaviors.same();
  }

  private void say(DispatchReport report) {
    if (!reported) {
      reported = true;
      replyTo.tell(new Report(leaseId, report));
    }
  }
}
