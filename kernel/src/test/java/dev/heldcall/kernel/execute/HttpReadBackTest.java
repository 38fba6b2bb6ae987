package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.ReadBackReport.CannotTell;
import dev.heldcall.kernel.call.ReadBackReport.Effect;
import dev.heldcall.kernel.call.ReadBackReport.NoEffect;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ExecutorKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpReadBackTest {

  private ActorTestKit testKit;
  private ToolClient client;

  @BeforeAll
  void start() throws Exception {
    testKit = ActorTestKit.create();
    client = new ToolClient(testKit.system(), SSLContext.getDefault(), 1 << 20, 64);
  }

  @AfterAll
  void stop() {
    testKit.shutdownTestKit();
  }

  private ReadBackReport ask(@Nullable String url, Duration timeout) {
    Lease lease =
        Orders.lease(
            Orders.generation("money_transfer", Orders.transfer()),
            ExecutorKind.HTTP,
            Instant.now(),
            Duration.ofSeconds(10));
    try {
      return new HttpReadBack(client, timeout)
          .ask(Orders.tool("POST", "http://127.0.0.1:1/", url), lease)
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a report never fails", e);
    }
  }

  private ReadBackReport ask(RawTool tool) {
    return ask(tool.url("/transfers/{idempotency_key}?of={held_id}"), Duration.ofSeconds(30));
  }

  @Test
  void asksForTheKeyWithoutAPermit() {
    try (RawTool tool = RawTool.answering(RawTool.answer("404 Not Found", ""))) {
      ask(tool);
      RawTool.Received request = tool.requests().getFirst();
      assertThat(request.line())
          .isEqualTo("GET /transfers/" + Orders.HELD_ID + ".1?of=" + Orders.HELD_ID + " HTTP/1.1");
      assertThat(request.headers())
          .containsEntry("heldcall-id", Orders.HELD_ID)
          .containsEntry("connection", "close")
          .doesNotContainKeys("heldcall-permit", "idempotency-key");
      assertThat(request.body()).isEmpty();
    }
  }

  @Test
  void takes200AsTheEffectWithItsContent() {
    try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{\"id\": \"t-1\"}"))) {
      Effect effect = (Effect) ask(tool);
      assertThat(effect.content().path("id").textValue()).isEqualTo("t-1");
      assertThat(effect.contentDigest()).isEqualTo(Digests.ofCanonical(effect.content()));
      assertThat(effect.truncated()).isFalse();
    }
  }

  @Test
  void takes404AsNoEffect() {
    try (RawTool tool = RawTool.answering(RawTool.answer("404 Not Found", "{}"))) {
      assertThat(ask(tool)).isEqualTo(new NoEffect());
    }
  }

  @ParameterizedTest
  @CsvSource({"201 Created", "204 None", "302 Found", "401 Who", "410 Gone", "429 Slow", "500 Oh"})
  void cannotTellFromAnyOtherStatus(String status) {
    try (RawTool tool = RawTool.answering("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")) {
      assertThat(ask(tool))
          .isEqualTo(new CannotTell("the read-back answered " + status.substring(0, 3)));
    }
  }

  @Test
  void cannotTellFromABrokenAnswer() {
    try (RawTool tool = RawTool.answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\"");
        RawTool silent = RawTool.onRequest(socket -> {})) {
      assertThat(ask(tool)).isInstanceOf(CannotTell.class);
      assertThat(ask(silent)).isInstanceOf(CannotTell.class);
    }
  }

  @Test
  void cannotTellWithoutAnAnswerInTime() {
    try (RawTool tool = RawTool.onRequest(RawTool::awaitClose)) {
      assertThat(ask(tool.url("/{idempotency_key}"), Duration.ofMillis(500)))
          .isEqualTo(new CannotTell("no answer in time"));
    }
  }

  @Test
  void cannotTellWithoutAConnection() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(ask("http://127.0.0.1:" + port + "/{idempotency_key}", Duration.ofSeconds(30)))
        .isEqualTo(new CannotTell("the connection was refused"));
  }

  @Test
  void cannotTellWithoutAReadBack() {
    assertThat(ask((String) null, Duration.ofSeconds(30))).isInstanceOf(CannotTell.class);
    assertThat(ask("nowhere/{idempotency_key}", Duration.ofSeconds(30)))
        .isInstanceOf(CannotTell.class);
  }
}
