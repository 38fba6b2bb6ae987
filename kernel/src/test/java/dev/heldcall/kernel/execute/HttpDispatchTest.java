package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.DispatchReport.Answered;
import dev.heldcall.kernel.call.DispatchReport.NoEffect;
import dev.heldcall.kernel.call.DispatchReport.Unknown;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.ToolEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every way in which a dispatch can end, each against a real socket: one list, hence its length.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpDispatchTest {

  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int MIB = 1 << 20;

  private ActorTestKit testKit;
  private ToolClient client;

  @BeforeAll
  void start() throws Exception {
    testKit = ActorTestKit.create();
    client = new ToolClient(testKit.system(), SSLContext.getDefault(), MIB, 64);
  }

  @AfterAll
  void stop() {
    testKit.shutdownTestKit();
  }

  private DispatchReport send(ToolEntry tool, Duration timeout, LongSupplier nanoTime) {
    Generation generation = Orders.generation("money_transfer", Orders.transfer());
    Lease lease = Orders.lease(generation, ExecutorKind.HTTP, Instant.now(), timeout);
    return send(tool, lease, generation, nanoTime);
  }

  private DispatchReport send(
      ToolEntry tool, Lease lease, Generation generation, LongSupplier nanoTime) {
    try {
      return new HttpDispatch(client, Clock.systemUTC(), nanoTime, Duration.ofSeconds(20))
          .send(tool, lease, generation, "the.permit.itself", nanoTime.getAsLong(), WINDOW)
          .toCompletableFuture()
          .get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a report never fails", e);
    }
  }

  private DispatchReport post(RawTool tool) {
    return send(Orders.tool("POST", tool.url("/transfers"), null), LONG, System::nanoTime);
  }

  private DispatchReport answered(String bytes) {
    try (RawTool tool = RawTool.answering(bytes)) {
      return post(tool);
    }
  }

  @Nested
  class Request {

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void isTheCanonicalBodyWithAllBindings(String method) {
      Generation generation = Orders.generation("money_transfer", Orders.transfer());
      Instant granted = Instant.now();
      Lease lease = Orders.lease(generation, ExecutorKind.HTTP, granted, LONG);
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        send(
            Orders.tool(method, tool.url("/transfers?dry=1"), null),
            lease,
            generation,
            System::nanoTime);

        assertThat(tool.requests()).hasSize(1);
        RawTool.Received request = tool.requests().getFirst();
        assertThat(request.line()).isEqualTo(method + " /transfers?dry=1 HTTP/1.1");
        assertThat(request.body())
            .isEqualTo("{\"amount_minor\":125000,\"rate\":1.5,\"to\":\"acct-ü\"}");
        assertThat(Digests.sha256(request.body().getBytes(UTF_8)))
            .isEqualTo(generation.argsDigest());
        assertThat(request.headers())
            .containsEntry("host", "127.0.0.1:" + tool.port())
            .containsEntry("content-type", "application/json")
            .containsEntry("connection", "close")
            .containsEntry("idempotency-key", Orders.HELD_ID + ".1")
            .containsEntry("heldcall-id", Orders.HELD_ID)
            .containsEntry("heldcall-call-digest", generation.callDigest().value())
            .containsEntry("heldcall-fencing-token", "1.1")
            .containsEntry("heldcall-deadline", Rfc3339.millis(lease.deadline()))
            .containsEntry("heldcall-permit", "the.permit.itself");
      }
    }

    @Test
    void toAnAddressWithoutAPathIsForTheRoot() {
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        send(Orders.tool("POST", tool.url(""), null), LONG, System::nanoTime);
        assertThat(tool.requests().getFirst().line()).isEqualTo("POST / HTTP/1.1");
      }
    }

    @Test
    void isNeverMadeTwice() {
      try (RawTool tool = RawTool.onRequest(socket -> {})) {
        assertThat(post(tool)).isInstanceOf(Unknown.class);
        assertThat(post(tool)).isInstanceOf(Unknown.class);

        assertThat(tool.connections()).isEqualTo(2);
        assertThat(tool.requests()).hasSize(2);
      }
    }

    @Test
    void takesAConnectionOfItsOwnAndClosesItThoughTheToolWouldKeepIt() throws Exception {
      CountDownLatch closed = new CountDownLatch(2);
      try (RawTool tool =
          RawTool.onRequest(
              socket -> {
                RawTool.write(socket, RawTool.answer("200 OK", "{}"));
                RawTool.awaitClose(socket);
                closed.countDown();
              })) {
        assertThat(post(tool)).isInstanceOf(Answered.class);
        assertThat(post(tool)).isInstanceOf(Answered.class);
        assertThat(tool.connections()).isEqualTo(2);
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      }
    }

    @Test
    void isNotMadeWithOtherContentThanTheLeaseIsFor() {
      Generation one = Orders.generation("money_transfer", Orders.transfer());
      Generation other =
          Orders.generation(
              "money_transfer", JsonNodeFactory.instance.objectNode().put("amount_minor", 1));
      Lease lease = Orders.lease(one, ExecutorKind.HTTP, Instant.now(), LONG);
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        ToolEntry entry = Orders.tool("POST", tool.url("/"), null);
        assertThat(send(entry, lease, other, System::nanoTime)).isInstanceOf(NoEffect.class);
        assertThat(tool.connections()).isZero();
      }
    }

    @ParameterizedTest
    @CsvSource({"GET,http://127.0.0.1:1/", "POST,ftp://127.0.0.1/", "POST,/relative", "POST,"})
    void isNotMadeOfWhatIsNoTool(String method, @org.jspecify.annotations.Nullable String url) {
      assertThat(send(Orders.tool(method, url, null), LONG, System::nanoTime))
          .isInstanceOf(NoEffect.class);
    }
  }

  /** Rule 2: a paused executor. */
  @Nested
  class Window {

    @Test
    void passedBeforeConnectingIsNoConnection() {
      AtomicInteger looks = new AtomicInteger();
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        DispatchReport report =
            send(
                Orders.tool("POST", tool.url("/"), null),
                LONG,
                () -> looks.getAndIncrement() == 0 ? 0 : WINDOW.toNanos());

        assertThat(report).isEqualTo(tooLate());
        assertThat(tool.connections()).isZero();
      }
    }

    @Test
    void passedWhileConnectingIsNoRequest() {
      AtomicInteger looks = new AtomicInteger();
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        DispatchReport report =
            send(
                Orders.tool("POST", tool.url("/"), null),
                LONG,
                () -> looks.getAndIncrement() < 3 ? 0 : WINDOW.toNanos());

        assertThat(report).isEqualTo(tooLate());
        assertThat(tool.requests()).isEmpty();
      }
    }

    @Test
    void isNoEffectOnceTheDeadlinePassed() {
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        ToolEntry entry = Orders.tool("POST", tool.url("/"), null);
        assertThat(send(entry, Duration.ofSeconds(-1), System::nanoTime))
            .isInstanceOf(NoEffect.class);
        assertThat(tool.connections()).isZero();
      }
    }

    private static NoEffect tooLate() {
      return new NoEffect("not sent: the lease was written more than 20000 ms ago");
    }
  }

  @Nested
  class Connection {

    @Test
    void refusedIsNoEffect() throws IOException {
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      assertThat(
              send(
                  Orders.tool("POST", "http://127.0.0.1:" + port + "/", null),
                  LONG,
                  System::nanoTime))
          .isEqualTo(new NoEffect("not sent: the connection was refused"));
    }

    @Test
    void toAHostThatIsNotThereIsNoEffect() {
      assertThat(
              send(
                  Orders.tool("POST", "http://tool.invalid/", null),
                  Duration.ofSeconds(5),
                  System::nanoTime))
          .isInstanceOf(NoEffect.class);
    }

    @Test
    void closedBeforeTheRequestWasReadIsNoAnswer() {
      try (RawTool tool = RawTool.onConnect((self, socket) -> socket.setSoLinger(true, 0))) {
        // whether the first byte left before the reset is a race; that it was an answer is not
        assertThat(post(tool)).isInstanceOfAny(Unknown.class, NoEffect.class);
      }
    }

    @Test
    void closedAfterTheRequestIsUnknown() {
      try (RawTool tool = RawTool.onRequest(socket -> {})) {
        assertThat(post(tool)).isInstanceOf(Unknown.class);
      }
    }

    @Test
    void resetAfterTheRequestIsUnknown() {
      try (RawTool tool = RawTool.onRequest(socket -> socket.setSoLinger(true, 0))) {
        assertThat(post(tool)).isInstanceOf(Unknown.class);
      }
    }

    @Test
    void withoutAnAnswerByTheDeadlineIsUnknown() {
      try (RawTool tool = RawTool.onRequest(RawTool::awaitClose)) {
        assertThat(
                send(
                    Orders.tool("POST", tool.url("/"), null),
                    Duration.ofMillis(700),
                    System::nanoTime))
            .isEqualTo(new Unknown("no answer in time"));
        assertThat(tool.requests()).hasSize(1);
      }
    }
  }

  @Nested
  class Answer {

    @ParameterizedTest
    @CsvSource({"200 OK", "201 Created", "202 Accepted", "299 Peculiar"})
    void of2xxSucceeded(String status) {
      Answered report = (Answered) answered(RawTool.answer(status, "{\"id\":\"t-1\"}"));
      assertThat(report.succeeded()).isTrue();
      assertThat(report.content())
          .isEqualTo(JsonNodeFactory.instance.objectNode().put("id", "t-1"));
      assertThat(report.truncated()).isFalse();
      assertThat(report.detail()).isEqualTo("the tool answered " + status.substring(0, 3));
    }

    @ParameterizedTest
    @CsvSource({"400 Bad Request", "404 Not Found", "409 Conflict", "429 Slow Down", "499 Odd"})
    void of4xxFailed(String status) {
      Answered report = (Answered) answered(RawTool.answer(status, "{\"error\":\"no\"}"));
      assertThat(report.succeeded()).isFalse();
      assertThat(report.content().path("error").textValue()).isEqualTo("no");
    }

    @ParameterizedTest
    @CsvSource({
      "300 Choices",
      "303 See Other",
      "304 Not Modified",
      "408 Request Timeout",
      "500 Broken",
      "502 Bad Gateway",
      "503 Busy",
      "599 Odd"
    })
    void ofAnyOtherStatusIsUnknown(String status) {
      assertThat(answered(RawTool.answer(status, "{}")))
          .isEqualTo(new Unknown("the tool answered " + status.substring(0, 3)));
    }

    @Test
    void thatRedirectsIsNotFollowed() {
      try (RawTool elsewhere = RawTool.answering(RawTool.answer("200 OK", "{}"));
          RawTool tool =
              RawTool.answering(
                  "HTTP/1.1 301 Moved\r\nLocation: "
                      + elsewhere.url("/")
                      + "\r\nContent-Length: 0\r\n\r\n")) {
        assertThat(post(tool)).isEqualTo(new Unknown("the tool answered 301"));
        assertThat(elsewhere.connections()).isZero();
      }
    }

    @Test
    void thatIsOnlyInterimIsUnknown() {
      assertThat(answered("HTTP/1.1 100 Continue\r\n\r\n")).isInstanceOf(Unknown.class);
    }

    @Test
    void afterAnInterimOneCounts() {
      assertThat(
              answered(
                  "HTTP/1.1 103 Early Hints\r\n\r\n" + RawTool.answer("201 Created", "{\"a\":1}")))
          .isInstanceOf(Answered.class);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "HTTP/1.1 2",
          "HTTP/1.1 200 OK",
          "HTTP/1.1 200 OK\r\nContent-Le",
          "SSH-2.0-OpenSSH\r\n",
          "HTTP/1.1 999 What\r\n\r\n",
          "HTTP/1.1 abc\r\n\r\n"
        })
    void withoutAWholeHeadIsUnknownAndItsBytesAreInNoReasonAndNoLog(String bytes) {
      LoggingTestKit.empty()
          .withCustom(event -> event.message().contains("SSH-2.0"))
          .withOccurrences(0)
          .expect(
              testKit.system(),
              () -> {
                DispatchReport report = answered(bytes);
                assertThat(report).isInstanceOf(Unknown.class);
                assertThat(((Unknown) report).reason()).doesNotContain("SSH", "999", "abc");
                return report;
              });
    }

    @Test
    void withoutContentIsNull() {
      Answered report = (Answered) answered("HTTP/1.1 204 No Content\r\n\r\n");
      assertThat(report.succeeded()).isTrue();
      assertThat(report.content()).isEqualTo(NullNode.getInstance());
      assertThat(report.contentDigest()).isEqualTo(Digests.ofCanonical(NullNode.getInstance()));
      assertThat(report.contentBytes()).isZero();
    }

    @Test
    void inChunksIsWhole() {
      String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
      Answered report = (Answered) answered(head + "5\r\n{\"a\":\r\n3\r\n 1}\r\n0\r\n\r\n");
      assertThat(report.content().path("a").intValue()).isEqualTo(1);
      assertThat(report.truncated()).isFalse();
    }

    @Test
    void untilTheConnectionClosesIsWhole() {
      Answered report = (Answered) answered("HTTP/1.0 200 OK\r\n\r\nplain words");
      assertThat(report.content().textValue()).isEqualTo("plain words");
      assertThat(report.truncated()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"id\":\"t-1\"",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{\"id\":\"t-1\"\r\n"
        })
    void withABodyThatBreaksOffIsUnknown(String bytes) {
      assertThat(answered(bytes))
          .isEqualTo(
              new DispatchReport.Unknown(
                  "the tool answered 200, and the answer broke off in its body"));
    }

    @Test
    void withABodyThatTakesLongerThanTheDeadlineIsUnknown() {
      try (RawTool tool =
          RawTool.onRequest(
              socket -> {
                RawTool.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun");
                RawTool.awaitClose(socket);
              })) {
        assertThat(
                send(
                    Orders.tool("POST", tool.url("/"), null),
                    Duration.ofMillis(1500),
                    System::nanoTime))
            .isInstanceOf(DispatchReport.Unknown.class);
      }
    }

    @Test
    void of3MiBIsCutAndDigestedWhole() {
      String whole = "{\"x\":\"" + "y".repeat(3 * MIB) + "\"}";
      Answered report = (Answered) answered(RawTool.answer("200 OK", whole));
      assertThat(report.succeeded()).isTrue();
      assertThat(report.truncated()).isTrue();
      assertThat(report.content().textValue()).isEqualTo(whole.substring(0, MIB));
      assertThat(report.contentBytes()).isEqualTo(whole.length());
      assertThat(report.contentDigest()).isEqualTo(Digests.sha256(whole.getBytes(UTF_8)));
    }

    @Test
    void thatIsJsonIsDigestedInItsCanonicalForm() {
      Answered report = (Answered) answered(RawTool.answer("200 OK", "{ \"b\": 1.0, \"a\": 1e2 }"));
      assertThat(CanonicalJson.text(report.content())).isEqualTo("{\"a\":100,\"b\":1}");
      assertThat(report.contentDigest())
          .isEqualTo(Digests.sha256("{\"a\":100,\"b\":1}".getBytes(UTF_8)));
      assertThat(report.contentBytes()).isEqualTo(22);
    }
  }
}
