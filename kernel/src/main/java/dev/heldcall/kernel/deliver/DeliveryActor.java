package dev.heldcall.kernel.deliver;

import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Offers a call's conclusion to its session's mailbox, and goes on trying with growing pauses until
 * the mailbox has it. It runs nothing else.
 */
public final class DeliveryActor {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private sealed interface Message {}

  private record Try() implements Message {}

  private record Done() implements Message {}

  private record Failed(Throwable why) implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final Function<HeldCallFacts, CompletionStage<?>> offer;
  private final HeldCallFacts facts;
  private final Runnable onOffered;

  private DeliveryActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      Function<HeldCallFacts, CompletionStage<?>> offer,
      HeldCallFacts facts,
      Runnable onOffered) {
    this.context = context;
    this.timers = timers;
    this.offer = offer;
    this.facts = facts;
    this.onOffered = onOffered;
  }

  /**
   * Offers the conclusion of {@code facts}.
   *
   * @param offer puts it into the mailbox, once however often it is asked
   * @param parent who is told
   * @param offered what it is told
   */
  public static <M> Behavior<?> create(
      Function<HeldCallFacts, CompletionStage<?>> offer,
      HeldCallFacts facts,
      ActorRef<M> parent,
      Supplier<M> offered) {
    return Behaviors.<Message>setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Try());
                  return new DeliveryActor(
                          context, timers, offer, facts, () -> parent.tell(offered.get()))
                      .trying(FIRST_PAUSE);
                }));
  }

  private Behavior<Message> trying(Duration pause) {
    return Behaviors.receive(Message.class)
        .onMessage(
            Try.class,
            message -> {
              context.pipeToSelf(
                  offered(), (done, failure) -> failure == null ? new Done() : new Failed(failure));
              return Behaviors.same();
            })
        .onMessage(
            Done.class,
            message -> {
              onOffered.run();
              return Behaviors.stopped();
            })
        .onMessage(
            Failed.class,
            message -> {
              context
                  .getLog()
                  .warn(
                      "{}: the mailbox could not be written, again in {}: {}",
                      facts.requireSpec().heldId(),
                      pause,
                      String.valueOf(message.why()));
              timers.startSingleTimer(new Try(), pause);
              Duration next = pause.multipliedBy(2);
              return trying(next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next);
            })
        .build();
  }

  private CompletionStage<?> offered() {
    try {
      return offer.apply(facts);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
