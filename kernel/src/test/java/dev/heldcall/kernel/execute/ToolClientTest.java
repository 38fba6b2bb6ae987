package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One exchange, and all that another side can do to it, in one list, hence its length. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ToolClientTest {

  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Exchange.NotSent NOT_CONNECTED =
      new Exchange.NotSent("not connected in time");
  private static final Exchange.Broken CLOSED = new Exchange.Broken("the connection was closed");
  private static final ToolRequest POST =
      new ToolRequest("POST", List.of(), "{}".getBytes(US_ASCII));

  private ActorTestKit testKit;

  @BeforeAll
  void start() {
    testKit = ActorTestKit.create();
  }

  @AfterAll
  void stop() {
    testKit.shutdownTestKit();
  }

  private ToolClient client(int maxConnections, HostLookup.Resolver resolver) throws Exception {
    return new ToolClient(
        testKit.system(),
        SSLContext.getDefault(),
        1 << 20,
        maxConnections,
        new HostLookup(resolver));
  }

  private ToolClient client() throws Exception {
    return client(
        64,
        host -> {
          throw new UnknownHostException("an address needs no look-up");
        });
  }

  private static CompletableFuture<Exchange> begun(
      ToolClient client, String url, Duration toSend, Duration whole) {
    return begun(client, url, POST, toSend, whole, () -> null);
  }

  private static CompletableFuture<Exchange> begun(
      ToolClient client,
      String url,
      ToolRequest request,
      Duration toSend,
      Duration whole,
      Supplier<@Nullable String> objection) {
    return client
        .exchange(ToolAddress.of(url), request, new ToolClient.Bounds(toSend, whole), objection)
        .toCompletableFuture();
  }

  private static Exchange ended(CompletableFuture<Exchange> exchange) throws Exception {
    return exchange.get(60, TimeUnit.SECONDS);
  }

  @Nested
  class Gate {

    @Test
    void thatObjectsLetsNoByteOut() throws Exception {
      CompletableFuture<Integer> first = new CompletableFuture<>();
      try (RawTool tool =
          RawTool.onConnect((self, socket) -> first.complete(socket.getInputStream().read()))) {
        assertThat(ended(begun(client(), tool.url("/"), POST, LONG, LONG, () -> "too late")))
            .isEqualTo(new Exchange.NotSent("too late"));
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
      }
    }

    @Test
    void isAskedOnce() throws Exception {
      AtomicInteger asked = new AtomicInteger();
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        Supplier<@Nullable String> objection =
            () -> {
              asked.incrementAndGet();
              return null;
            };
        assertThat(ended(begun(client(), tool.url("/"), POST, LONG, LONG, objection)))
            .isInstanceOf(Exchange.Answer.class);
        assertThat(asked).hasValue(1);
      }
    }

    @Test
    void thatFailsLetsNoByteOut() throws Exception {
      CompletableFuture<Integer> first = new CompletableFuture<>();
      try (RawTool tool =
          RawTool.onConnect((self, socket) -> first.complete(socket.getInputStream().read()))) {
        Supplier<@Nullable String> broken =
            () -> {
              throw new IllegalStateException("no clock");
            };
        assertThat(ended(begun(client(), tool.url("/"), POST, LONG, LONG, broken)))
            .isInstanceOf(Exchange.NotSent.class);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
      }
    }
  }

  @Nested
  class AToolThat {

    /** Each byte comes in time, the whole never does. */
    @ParameterizedTest
    @ValueSource(
        strings = {
          "HTTP/1.1 200 OK\r\nX: ",
          "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
          "HTTP/1.0 200 OK\r\n\r\n"
        })
    void dripsIsCutAtTheEndOfTheWhole(String beginning) throws Exception {
      CountDownLatch closed = new CountDownLatch(1);
      ScheduledExecutorService drops = Executors.newSingleThreadScheduledExecutor();
      try (drops;
          RawTool tool =
              RawTool.onRequest(
                  socket -> {
                    RawTool.write(socket, beginning);
                    var dripping =
                        drops.scheduleAtFixedRate(() -> drop(socket), 5, 5, TimeUnit.MILLISECONDS);
                    RawTool.awaitClose(socket);
                    dripping.cancel(true);
                    closed.countDown();
                  })) {
        Exchange exchange = ended(begun(client(), tool.url("/"), LONG, Duration.ofSeconds(1)));
        if (beginning.endsWith("\r\n\r\n")) {
          ReceivedBody body = ((Exchange.Answer) exchange).body();
          assertThat(body.complete()).isFalse();
          assertThat(body.size()).isPositive();
        } else {
          assertThat(exchange).isEqualTo(new Exchange.Broken("no answer in time"));
        }
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        drops.shutdownNow();
      }
    }

    @Test
    void sendsNoHttpOrTooMuchOfItIsBrokenInOurOwnWords() throws Exception {
      String ok = "HTTP/1.1 200 OK\r\n";
      for (String bytes :
          List.of(
              "SSH-2.0-Secret\r\n",
              ok + "Secret\r\n\r\n",
              ok + "Secret: y\r\n".repeat(65) + "\r\n",
              ok + "Secret: " + "y".repeat(9000) + "\r\n\r\n")) {
        try (RawTool tool = RawTool.answering(bytes)) {
          assertThat(ended(begun(client(), tool.url("/"), LONG, LONG)))
              .isEqualTo(new Exchange.Broken("the answer is no HTTP that can be read"));
        }
      }
    }

    private static void drop(Socket socket) {
      try {
        socket.getOutputStream().write('y');
      } catch (IOException e) {
        // the other side went away, which is what the test waits for
      }
    }

    @Test
    void closesItsSideAfterTheRequestGaveNoAnswer() throws Exception {
      CountDownLatch closed = new CountDownLatch(1);
      try (RawTool tool =
          RawTool.onRequest(
              socket -> {
                socket.shutdownOutput();
                RawTool.awaitClose(socket);
                closed.countDown();
              })) {
        assertThat(ended(begun(client(), tool.url("/"), LONG, LONG))).isEqualTo(CLOSED);
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      }
    }

    @Test
    void closesItsSideBeforeTheRequestStillGotIt() throws Exception {
      try (RawTool tool =
          RawTool.onConnect(
              (self, socket) -> {
                socket.shutdownOutput();
                self.readThen(socket, RawTool::awaitClose);
              })) {
        assertThat(ended(begun(client(), tool.url("/"), LONG, LONG))).isEqualTo(CLOSED);
        Awaitility.await().until(() -> tool.requests().size() == 1);
      }
    }

    @Test
    void answersAndClosesBeforeItReadTheWholeRequestHasAnswered() throws Exception {
      ToolRequest large = new ToolRequest("POST", List.of(), new byte[32 << 20]);
      try (RawTool tool =
          RawTool.onConnect(
              (self, socket) -> {
                socket.getInputStream().read();
                RawTool.write(socket, RawTool.answer("413 Too Large", "{}"));
              })) {
        Exchange exchange = ended(begun(client(), tool.url("/"), large, LONG, LONG, () -> null));
        assertThat(((Exchange.Answer) exchange).status()).isEqualTo(413);
      }
    }

    @Test
    void readsNothingIsCutAtTheEndOfTheWhole() throws Exception {
      ToolRequest large = new ToolRequest("POST", List.of(), new byte[32 << 20]);
      CountDownLatch end = new CountDownLatch(1);
      try (RawTool tool =
          RawTool.onConnect(
              (self, socket) -> {
                try {
                  end.await();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
              })) {
        assertThat(
                ended(
                    begun(
                        client(), tool.url("/"), large, SHORT, Duration.ofSeconds(1), () -> null)))
            .isEqualTo(new Exchange.Broken("no answer in time"));
        end.countDown();
      }
    }
  }

  @Nested
  class ALookUp {

    @Test
    void thatHangsOutlastsNoTimeToSendAndHoldsUpNobodyElse() throws Exception {
      CountDownLatch end = new CountDownLatch(1);
      AtomicInteger lookUps = new AtomicInteger();
      ToolClient client =
          client(
              64,
              host -> {
                lookUps.incrementAndGet();
                try {
                  end.await();
                } catch (InterruptedException e) {
                  throw new UnknownHostException(host);
                }
                return InetAddress.getLoopbackAddress();
              });
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        String url = "http://slow.example:" + tool.port() + "/";
        List<CompletableFuture<Exchange>> hanging =
            List.of(
                begun(client, url, SHORT, LONG),
                begun(client, url, SHORT, LONG),
                begun(client, url, SHORT, SHORT));
        assertThat(ended(begun(client, tool.url("/"), LONG, LONG)))
            .isInstanceOf(Exchange.Answer.class);
        for (CompletableFuture<Exchange> each : hanging) {
          assertThat(ended(each)).isEqualTo(NOT_CONNECTED);
        }
        assertThat(lookUps).hasValue(1);

        CompletableFuture<Exchange> patient = begun(client, url, LONG, LONG);
        end.countDown();
        assertThat(ended(patient)).isInstanceOf(Exchange.Answer.class);
        assertThat(tool.requests()).hasSize(2);
      } finally {
        end.countDown();
      }
    }

    @Test
    void thatFindsNothingIsNotSent() throws Exception {
      ToolClient unknown =
          client(
              64,
              host -> {
                throw new UnknownHostException(host);
              });
      ToolClient failing =
          client(
              64,
              host -> {
                throw new IllegalStateException(host);
              });
      for (ToolClient each : List.of(unknown, failing)) {
        assertThat(ended(begun(each, "http://nobody.example/", LONG, LONG)))
            .isEqualTo(new Exchange.NotSent("the host name is not known"));
      }
    }
  }

  @Nested
  class Connections {

    @Test
    void areBoundedAndOthersWaitForOneAsLongAsTheyMaySend() throws Exception {
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch answer = new CountDownLatch(1);
      ToolClient client = client(1, InetAddress::getByName);
      try (RawTool slow =
              RawTool.onRequest(
                  socket -> {
                    first.countDown();
                    try {
                      answer.await();
                    } catch (InterruptedException e) {
                      throw new IOException(e);
                    }
                    RawTool.write(socket, RawTool.answer("200 OK", "{}"));
                  });
          RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"))) {
        CompletableFuture<Exchange> holding = begun(client, slow.url("/"), LONG, LONG);
        assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(ended(begun(client, tool.url("/"), SHORT, LONG)))
            .isEqualTo(new Exchange.NotSent("no connection became free in time"));
        assertThat(tool.connections()).isZero();

        CompletableFuture<Exchange> patient = begun(client, tool.url("/"), LONG, LONG);
        answer.countDown();
        assertThat(ended(holding)).isInstanceOf(Exchange.Answer.class);
        assertThat(ended(patient)).isInstanceOf(Exchange.Answer.class);
      }
    }

    @Test
    void areFreedHoweverAnExchangeEnds() throws Exception {
      ToolClient client = client(1, InetAddress::getByName);
      try (RawTool tool = RawTool.answering(RawTool.answer("200 OK", "{}"));
          RawTool silent = RawTool.onRequest(socket -> {});
          RawTool hanging = RawTool.onRequest(RawTool::awaitClose)) {
        ended(begun(client, "http://127.0.0.1:1/", LONG, LONG));
        ended(begun(client, tool.url("/"), POST, LONG, LONG, () -> "too late"));
        ended(begun(client, silent.url("/"), LONG, LONG));
        ended(begun(client, hanging.url("/"), SHORT, SHORT));
        ended(begun(client, "https://127.0.0.1:" + silent.port() + "/", SHORT, SHORT));
        ended(begun(client, "http://tool.invalid/", SHORT, SHORT));
        assertThat(ended(begun(client, tool.url("/"), LONG, LONG)))
            .isInstanceOf(Exchange.Answer.class);
      }
    }

    @Test
    void endWithTheActorSystem() throws Exception {
      ActorTestKit own = ActorTestKit.create();
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch closed = new CountDownLatch(1);
      try (RawTool tool =
          RawTool.onRequest(
              socket -> {
                asked.countDown();
                RawTool.awaitClose(socket);
                closed.countDown();
              })) {
        ToolClient client = new ToolClient(own.system(), SSLContext.getDefault(), 1 << 20, 64);
        CompletableFuture<Exchange> running = begun(client, tool.url("/"), LONG, LONG);
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        own.shutdownTestKit();
        assertThat(ended(running)).isInstanceOf(Exchange.Broken.class);
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(ended(begun(client, tool.url("/"), LONG, LONG)))
            .isInstanceOf(Exchange.NotSent.class);
        assertThat(tool.connections()).isEqualTo(1);
      }
    }
  }
}
