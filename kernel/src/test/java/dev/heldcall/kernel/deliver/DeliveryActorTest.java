package dev.heldcall.kernel.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCalls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeliveryActorTest {

  private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
  private static final ManualTime TIME = ManualTime.get(KIT.system());
  private static final HeldCallFacts FACTS = LiveCalls.admitted().facts();

  private final BlockingQueue<CompletableFuture<String>> offers = new LinkedBlockingQueue<>();
  private final TestProbe<String> parent = KIT.createTestProbe(String.class);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private ActorRef<?> start() {
    return KIT.spawn(
        DeliveryActor.create(
            facts -> {
              assertThat(facts).isSameAs(FACTS);
              CompletableFuture<String> offer = new CompletableFuture<>();
              offers.add(offer);
              return offer;
            },
            FACTS,
            parent.getRef(),
            () -> "offered"));
  }

  private CompletableFuture<String> offer() throws InterruptedException {
    return Objects.requireNonNull(offers.poll(30, TimeUnit.SECONDS), "nothing was offered");
  }

  /** Fails the offer, and returns once the actor knows. */
  private void fails(String again) throws InterruptedException {
    CompletableFuture<String> offer = offer();
    LoggingTestKit.warn("again in " + again)
        .expect(KIT.system(), () -> offer.completeExceptionally(new IllegalStateException("full")));
  }

  @Test
  void offersAtOnceTellsItsParentOnceAndEnds() throws InterruptedException {
    ActorRef<?> actor = start();
    offer().complete("done");
    parent.expectMessage("offered");
    parent.expectTerminated(actor);
    assertThat(offers).isEmpty();
  }

  @Test
  void triesAgainWithPausesThatGrowUpToABound() throws InterruptedException {
    start();
    for (String pause :
        List.of("PT0.2S", "PT0.4S", "PT0.8S", "PT1.6S", "PT3.2S", "PT6.4S", "PT12.8S", "PT25.6S")) {
      fails(pause);
      waitsFor(Duration.parse(pause));
    }
    for (int i = 0; i < 3; i++) {
      fails("PT30S");
      waitsFor(Duration.ofSeconds(30));
    }
    offer().complete("done");
    parent.expectMessage("offered");
  }

  private void waitsFor(Duration pause) {
    TIME.timePasses(pause.minusMillis(1));
    assertThat(offers).isEmpty();
    TIME.timePasses(Duration.ofMillis(1));
  }

  @Test
  void saysNothingWhileTheMailboxHasItNot() throws InterruptedException {
    start();
    fails("PT0.2S");
    TIME.expectNoMessageFor(Duration.ofMillis(100), parent);
  }

  @Test
  void outlivesAMailboxThatThrows() {
    LoggingTestKit.warn("again in PT0.2S")
        .expect(
            KIT.system(),
            () ->
                KIT.spawn(
                    DeliveryActor.create(
                        facts -> {
                          if (offers.isEmpty()) {
                            offers.add(new CompletableFuture<>());
                            throw new IllegalStateException("broken");
                          }
                          return CompletableFuture.completedFuture("done");
                        },
                        FACTS,
                        parent.getRef(),
                        () -> "offered")));
    TIME.timePasses(Duration.ofMillis(200));
    parent.expectMessage("offered");
  }
}
