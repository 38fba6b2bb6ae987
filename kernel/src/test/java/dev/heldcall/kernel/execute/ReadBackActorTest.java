package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.ReadBackReport.CannotTell;
import dev.heldcall.kernel.call.ReadBackReport.NoEffect;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lease ends after 10 s and settles after 20 s; the clock starts with it. */
class ReadBackActorTest {

  private static final CannotTell DOWN = new CannotTell("the connection was refused");
  private static final ReadBackReport EFFECT =
      new ReadBackReport.Effect(Orders.transfer(), Orders.NONE, 0, false);

  private final DispatchOrder order =
      Orders.order(ExecutorKind.HTTP, Boundary.TOOL, "money_transfer", Orders.transfer(), 0);
  private final ScriptedPort port = new ScriptedPort();
  private ActorTestKit testKit;
  private ManualClock clock;
  private TestProbe<ReadBackActor.Report> reports;

  @BeforeEach
  void start() {
    testKit = ActorTestKit.create(ManualTime.config());
    clock = new ManualClock(order.lease().grantedAt(), ManualTime.get(testKit.system()));
    reports = testKit.createTestProbe();
  }

  @AfterEach
  void stop() {
    testKit.shutdownTestKit();
  }

  private ActorRef<ReadBackActor.Command> spawn(ToolPort by) {
    ReadBackActor.Schedule schedule =
        new ReadBackActor.Schedule(
            Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(5));
    return testKit.spawn(ReadBackActor.create(order, by, schedule, clock, reports.getRef()));
  }

  private void reported(Instant askedAt, ReadBackReport report) {
    assertThat(reports.receiveMessage(Duration.ofSeconds(30)))
        .isEqualTo(new ReadBackActor.Report("ls-1", askedAt, report));
  }

  private void stopped(ActorRef<?> actor) {
    reports.expectTerminated(actor, Duration.ofSeconds(30));
    reports.expectNoMessage(Duration.ZERO);
  }

  @Test
  void asksAtOnceAndStopsAfterAnEffect() throws Exception {
    ActorRef<?> actor = spawn(port);
    Instant asked = clock.instant();
    CompletableFuture<ReadBackReport> question = port.nextQuestion();
    clock.pass(Duration.ofSeconds(1));
    question.complete(EFFECT);
    reported(asked, EFFECT);
    stopped(actor);
  }

  /** Rule 2: "no effect" counts only after the deadline plus settle. */
  @Test
  void asksAgainWhenANoEffectBeginsToCount() throws Exception {
    ActorRef<?> actor = spawn(port);
    Instant start = clock.instant();
    clock.pass(Duration.ofSeconds(3));
    port.nextQuestion().complete(new NoEffect());
    assertThat(reports.receiveMessage(Duration.ofSeconds(30)).askedAt())
        .isBetween(start, start.plusSeconds(3));

    clock.pass(Duration.ofMillis(16_999));
    assertThat(port.isQuiet()).isTrue();
    clock.pass(Duration.ofMillis(2));
    port.nextQuestion().complete(new NoEffect());
    reported(order.lease().settlesAt().plusMillis(1), new NoEffect());
    stopped(actor);
  }

  @Test
  void stopsAfterANoEffectThatCounts() throws Exception {
    clock.pass(Duration.ofSeconds(20));
    ActorRef<?> actor = spawn(port);
    port.nextQuestion().complete(new NoEffect());
    reported(order.lease().settlesAt(), new NoEffect());
    stopped(actor);
  }

  @Test
  void aNoEffectCountsByWhenItWasAskedAndNotByWhenItCame() throws Exception {
    clock.pass(Duration.ofSeconds(19));
    spawn(port);
    CompletableFuture<ReadBackReport> question = port.nextQuestion();
    clock.pass(Duration.ofSeconds(3));
    question.complete(new NoEffect());
    reported(order.lease().settlesAt().minusSeconds(1), new NoEffect());
    clock.pass(Duration.ofMillis(1));
    port.nextQuestion().complete(EFFECT);
    reported(order.lease().settlesAt().plusMillis(2001), EFFECT);
  }

  @Test
  void asksAgainWithGrowingPausesWhileItCannotTell() throws Exception {
    spawn(port);
    for (int pause : List.of(2, 4, 8, 10, 10)) {
      Instant asked = clock.instant();
      port.nextQuestion().complete(DOWN);
      reported(asked, DOWN);
      clock.pass(Duration.ofSeconds(pause));
      assertThat(port.isQuiet()).isTrue();
      clock.pass(Duration.ofMillis(1));
    }
    assertThat(port.nextQuestion()).isNotDone();
  }

  @Test
  void aQuestionWithoutAnAnswerCannotTellAndItsLateAnswerIsNone() throws Exception {
    spawn(port);
    Instant asked = clock.instant();
    CompletableFuture<ReadBackReport> late = port.nextQuestion();
    clock.pass(Duration.ofSeconds(5));
    reported(asked, new CannotTell("the read-back took too long"));
    late.complete(EFFECT);
    clock.pass(Duration.ofMillis(2001));
    Instant again = clock.instant();
    port.nextQuestion().complete(DOWN);
    reported(again, DOWN);
  }

  @Test
  void aPortThatFailsOrThrowsCannotTell() throws Exception {
    spawn(port);
    Instant asked = clock.instant();
    port.nextQuestion().completeExceptionally(new IllegalStateException("secret words"));
    reported(asked, new CannotTell("the read-back failed: IllegalStateException"));

    spawn(
        new ToolPort() {
          @Override
          public CompletionStage<DispatchReport> dispatch(DispatchOrder ignored) {
            throw new IllegalStateException("not asked");
          }

          @Override
          public CompletionStage<ReadBackReport> readBack(DispatchOrder ignored) {
            throw new IllegalStateException("broken");
          }
        });
    reported(asked, new CannotTell("the read-back failed: IllegalStateException"));
  }

  @Test
  void aScheduleHasPauses() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReadBackActor.Schedule(Duration.ZERO, second, second));
  }
}
