package dev.heldcall.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCalls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WitnessRouteActorTest {

  private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
  private static final ManualTime TIME = ManualTime.get(KIT.system());
  private static final HeldCallFacts FACTS = LiveCalls.admitted().facts();

  private final BlockingQueue<CompletableFuture<String>> published = new LinkedBlockingQueue<>();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private CompletionStage<?> publish(HeldCallFacts facts, String witnessClass) {
    assertThat(facts).isSameAs(FACTS);
    assertThat(witnessClass).isEqualTo("human");
    CompletableFuture<String> request = new CompletableFuture<>();
    published.add(request);
    return request;
  }

  private CompletableFuture<String> request() throws InterruptedException {
    return Objects.requireNonNull(published.poll(30, TimeUnit.SECONDS), "nothing was published");
  }

  @Test
  void publishesOnceAndLivesUntilItIsStopped() throws InterruptedException {
    ActorRef<?> actor = KIT.spawn(WitnessRouteActor.create(this::publish, FACTS, "human"));
    request().complete("out");
    TIME.timePasses(Duration.ofHours(1));
    assertThat(published).isEmpty();
    KIT.stop(actor);
  }

  @Test
  void triesAgainWithPausesThatGrowUpToABound() throws InterruptedException {
    KIT.spawn(WitnessRouteActor.create(this::publish, FACTS, "human"));
    for (String pause :
        List.of("PT0.5S", "PT1S", "PT2S", "PT4S", "PT8S", "PT16S", "PT32S", "PT1M", "PT1M")) {
      CompletableFuture<String> request = request();
      LoggingTestKit.warn("again in " + pause)
          .expect(
              KIT.system(), () -> request.completeExceptionally(new IllegalStateException("no")));
      TIME.timePasses(Duration.parse(pause).minusMillis(1));
      assertThat(published).isEmpty();
      TIME.timePasses(Duration.ofMillis(1));
    }
    request().complete("out");
  }

  @Test
  void outlivesARouteThatThrows() throws InterruptedException {
    ActorRef<?> actor =
        LoggingTestKit.warn("again in PT0.5S")
            .expect(
                KIT.system(),
                () ->
                    KIT.spawn(
                        WitnessRouteActor.create(
                            (facts, witnessClass) -> {
                              publish(facts, witnessClass);
                              throw new IllegalStateException("broken");
                            },
                            FACTS,
                            "human")));
    var _ = request();
    TIME.timePasses(Duration.ofMillis(500));
    var _ = request();
    // it would go on logging in the time of other tests
    KIT.stop(actor);
  }
}
