package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExecutorActorTest {

  private final DispatchOrder order =
      Orders.order(ExecutorKind.HTTP, Boundary.TOOL, "money_transfer", Orders.transfer(), 0);
  private final ScriptedPort port = new ScriptedPort();
  private ActorTestKit testKit;
  private ManualClock clock;
  private TestProbe<ExecutorActor.Report> reports;

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

  private ActorRef<ExecutorActor.Command> spawn(ToolPort by) {
    return testKit.spawn(ExecutorActor.create(order, by, clock, reports.getRef()));
  }

  private DispatchReport reported() {
    ExecutorActor.Report report = reports.receiveMessage(Duration.ofSeconds(30));
    assertThat(report.leaseId()).isEqualTo("ls-1");
    return report.report();
  }

  private void stoppedWithoutAnotherReport(ActorRef<?> actor) {
    reports.expectTerminated(actor, Duration.ofSeconds(30));
    reports.expectNoMessage(Duration.ZERO);
  }

  @Test
  void reportsWhatThePortSaysAndStops() throws Exception {
    ActorRef<?> actor = spawn(port);
    DispatchReport noEffect = new DispatchReport.NoEffect("not sent: the connection was refused");
    port.nextDispatch().complete(noEffect);
    assertThat(reported()).isEqualTo(noEffect);
    stoppedWithoutAnotherReport(actor);
    assertThat(port.isQuiet()).isTrue();
  }

  @Test
  void aFailedPortIsUnknownAndNeverNoEffect() throws Exception {
    ActorRef<?> actor = spawn(port);
    port.nextDispatch().completeExceptionally(new IllegalStateException("secret words"));
    assertThat(reported())
        .isEqualTo(new DispatchReport.Unknown("the executor failed: IllegalStateException"));
    stoppedWithoutAnotherReport(actor);
  }

  @Test
  void aThrowingPortIsUnknown() {
    ActorRef<?> actor =
        spawn(
            new ToolPort() {
              @Override
              public CompletionStage<DispatchReport> dispatch(DispatchOrder ignored) {
                throw new IllegalStateException("after sending");
              }

              @Override
              public CompletionStage<ReadBackReport> readBack(DispatchOrder ignored) {
                throw new IllegalStateException("not asked");
              }
            });
    assertThat(reported()).isInstanceOf(DispatchReport.Unknown.class);
    stoppedWithoutAnotherReport(actor);
  }

  @Test
  void aPortThatNeverAnswersIsUnknownAfterTheDeadline() throws Exception {
    ActorRef<?> actor = spawn(port);
    CompletableFuture<DispatchReport> dispatch = port.nextDispatch();
    clock.pass(Duration.ofSeconds(10));
    reports.expectNoMessage(Duration.ZERO);
    clock.pass(Duration.ofMillis(500));
    assertThat(reported()).isEqualTo(new DispatchReport.Unknown("no answer by the deadline"));
    dispatch.complete(new DispatchReport.NoEffect("too late to say"));
    stoppedWithoutAnotherReport(actor);
  }

  @Test
  void beingStoppedIsUnknown() throws Exception {
    ActorRef<ExecutorActor.Command> actor = spawn(port);
    CompletableFuture<DispatchReport> dispatch = port.nextDispatch();
    testKit.stop(actor);
    assertThat(reported()).isInstanceOf(DispatchReport.Unknown.class);
    dispatch.complete(new DispatchReport.NoEffect("too late to say"));
    stoppedWithoutAnotherReport(actor);
  }
}
