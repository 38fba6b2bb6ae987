package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpToolPortTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final AtomicInteger signed = new AtomicInteger();
  private ActorTestKit testKit;
  private HttpToolPort port;

  @BeforeEach
  void start() throws Exception {
    testKit = ActorTestKit.create();
    ToolClient client = new ToolClient(testKit.system(), SSLContext.getDefault(), 1 << 20, 64);
    port =
        new HttpToolPort(
            new HttpDispatch(client, Clock.systemUTC(), System::nanoTime, LONG),
            new HttpReadBack(client, LONG),
            LONG);
  }

  @AfterEach
  void stop() {
    testKit.shutdownTestKit();
  }

  private DispatchOrder order(RawTool tool) {
    DispatchOrder order =
        Orders.order(
            ExecutorKind.HTTP,
            Boundary.TOOL,
            "money_transfer",
            Orders.transfer(),
            System.nanoTime());
    return new DispatchOrder(
        order.lease(),
        order.spec(),
        order.generation(),
        Orders.tool("POST", tool.url("/"), tool.url("/{idempotency_key}")),
        () -> "permit-" + signed.incrementAndGet(),
        order.persistedNanos());
  }

  @Test
  void aDispatchIsSignedOnce() throws Exception {
    try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
      assertThat(port.dispatch(order(tool)).toCompletableFuture().get(60, TimeUnit.SECONDS))
          .isInstanceOf(DispatchReport.Answered.class);
      assertThat(tool.requests().getFirst().headers()).containsEntry("heldcall-permit", "permit-1");
      assertThat(signed).hasValue(1);
    }
  }

  @Test
  void aReadBackIsNotSigned() throws Exception {
    try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
      assertThat(port.readBack(order(tool)).toCompletableFuture().get(60, TimeUnit.SECONDS))
          .isInstanceOf(ReadBackReport.Effect.class);
      assertThat(signed).hasValue(0);
    }
  }
}
