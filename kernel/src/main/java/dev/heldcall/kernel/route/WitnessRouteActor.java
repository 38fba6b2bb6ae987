package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * Publishes the request to the witnesses of one class, again and again with growing pauses until it
 * is out. The request stays out while this actor lives; it is stopped when evidence is no longer
 * wanted.
 */
public final class WitnessRouteActor {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private sealed interface Message {}

  private record Publish() implements Message {}

  private record Published() implements Message {}

  private record Failed(Throwable why) implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final BiFunction<HeldCallFacts, String, CompletionStage<?>> publish;
  private final HeldCallFacts facts;
  private final String witnessClass;

  private WitnessRouteActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      BiFunction<HeldCallFacts, String, CompletionStage<?>> publish,
      HeldCallFacts facts,
      String witnessClass) {
    this.context = context;
    this.timers = timers;
    this.publish = publish;
    this.facts = facts;
    this.witnessClass = witnessClass;
  }

  /**
   * Publishes the request for {@code witnessClass}.
   *
   * @param publish sends it out; the same request may be sent again
   */
  public static Behavior<?> create(
      BiFunction<HeldCallFacts, String, CompletionStage<?>> publish,
      HeldCallFacts facts,
      String witnessClass) {
    return Behaviors.<Message>setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Publish());
                  return new WitnessRouteActor(context, timers, publish, facts, witnessClass)
                      .publishing(FIRST_PAUSE);
                }));
  }

  private Behavior<Message> publishing(Duration pause) {
    return Behaviors.receive(Message.class)
        .onMessage(
            Publish.class,
            message -> {
              context.pipeToSelf(
                  published(),
                  (done, failure) -> failure == null ? new Published() : new Failed(failure));
              return Behaviors.same();
            })
        .onMessage(Published.class, message -> Behaviors.same())
        .onMessage(
            Failed.class,
            message -> {
              context
                  .getLog()
                  .warn(
                      "{}: the request to {} could not be published, again in {}: {}",
                      facts.requireSpec().heldId(),
                      witnessClass,
                      pause,
                      String.valueOf(message.why()));
              timers.startSingleTimer(new Publish(), pause);
              Duration next = pause.multipliedBy(2);
              return publishing(next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next);
            })
        .build();
  }

  private CompletionStage<?> published() {
    try {
      return publish.apply(facts, witnessClass);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
