package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS a request leaves only once the handshake is done. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsDispatchTest {

  private static final char[] PASSWORD = "password".toCharArray();

  private ActorTestKit testKit;
  private SSLContext pair;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    testKit = ActorTestKit.create();
    Path file = dir.resolve("tool.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storepass",
                "password",
                "-alias",
                "tool",
                "-keyalg",
                "EC",
                "-dname",
                "CN=tool",
                "-ext",
                "san=ip:127.0.0.1")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("tool", store.getCertificate("tool"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificates);
    pair = SSLContext.getInstance("TLS");
    pair.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
  }

  @AfterAll
  void stop() {
    testKit.shutdownTestKit();
  }

  private RawTool secureTool() throws Exception {
    return RawTool.on(
        pair.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
        (tool, socket) ->
            tool.readThen(
                socket, it -> RawTool.write(it, RawTool.answer("200 OK", "{\"ok\":true}"))));
  }

  private Exchange exchange(SSLContext tls, String url, Duration toSend) throws Exception {
    return exchange(tls, url, toSend, Duration.ofSeconds(40));
  }

  private Exchange exchange(SSLContext tls, String url, Duration toSend, Duration whole)
      throws Exception {
    return new ToolClient(testKit.system(), tls, 1 << 20, 64)
        .exchange(
            ToolAddress.of(url),
            new ToolRequest("POST", List.of(), "{}".getBytes(US_ASCII)),
            new ToolClient.Bounds(toSend, whole),
            () -> null)
        .toCompletableFuture()
        .get(60, TimeUnit.SECONDS);
  }

  private static String url(RawTool tool, String host) {
    return "https://" + host + ":" + tool.port() + "/";
  }

  @Test
  void aTrustedToolAnswers() throws Exception {
    try (RawTool tool = secureTool()) {
      Exchange.Answer answer =
          (Exchange.Answer) exchange(pair, url(tool, "127.0.0.1"), Duration.ofSeconds(30));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().kept().utf8String()).isEqualTo("{\"ok\":true}");
      assertThat(tool.requests()).hasSize(1);
      assertThat(tool.requests().getFirst().headers())
          .containsEntry("host", "127.0.0.1:" + tool.port());
    }
  }

  @Test
  void anUntrustedCertificateIsProofThatNothingWasSent() throws Exception {
    try (RawTool tool = secureTool()) {
      assertThat(exchange(SSLContext.getDefault(), url(tool, "127.0.0.1"), Duration.ofSeconds(30)))
          .isEqualTo(new Exchange.NotSent("the TLS connection failed"));
      assertThat(tool.requests()).isEmpty();
    }
  }

  @Test
  void aCertificateForAnotherHostIsProofThatNothingWasSent() throws Exception {
    try (RawTool tool = secureTool()) {
      assertThat(exchange(pair, url(tool, "localhost"), Duration.ofSeconds(30)))
          .isInstanceOf(Exchange.NotSent.class);
      assertThat(tool.requests()).isEmpty();
    }
  }

  @Test
  void aToolThatDoesNotSpeakTlsGotNoRequest() throws Exception {
    try (RawTool garbage =
            RawTool.onConnect(
                (tool, socket) -> RawTool.write(socket, RawTool.answer("400 Bad Request", "{}")));
        RawTool closing = RawTool.onConnect((tool, socket) -> {})) {
      assertThat(exchange(pair, url(garbage, "127.0.0.1"), Duration.ofSeconds(30)))
          .isInstanceOf(Exchange.NotSent.class);
      assertThat(exchange(pair, url(closing, "127.0.0.1"), Duration.ofSeconds(30)))
          .isInstanceOf(Exchange.NotSent.class);
    }
  }

  @Test
  void aHandshakeThatHangsIsGivenUpUnsent() throws Exception {
    try (RawTool tool = RawTool.onConnect((self, socket) -> RawTool.awaitClose(socket))) {
      assertThat(exchange(pair, url(tool, "127.0.0.1"), Duration.ofMillis(500)))
          .isEqualTo(new Exchange.NotSent("not connected in time"));
    }
  }

  /** Every byte comes in time, the handshake's end never does. */
  @Test
  void aHandshakeThatDripsIsGivenUpUnsent() throws Exception {
    ScheduledExecutorService drops = Executors.newSingleThreadScheduledExecutor();
    CountDownLatch closed = new CountDownLatch(1);
    try (drops;
        RawTool tool =
            RawTool.onConnect(
                (self, socket) -> {
                  // a handshake record of 16 KiB begins
                  socket.getOutputStream().write(new byte[] {0x16, 3, 3, 0x40, 0});
                  var dripping =
                      drops.scheduleAtFixedRate(() -> drop(socket), 5, 5, TimeUnit.MILLISECONDS);
                  RawTool.awaitClose(socket);
                  dripping.cancel(true);
                  closed.countDown();
                })) {
      assertThat(exchange(pair, url(tool, "127.0.0.1"), Duration.ofMillis(700)))
          .isEqualTo(new Exchange.NotSent("not connected in time"));
      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
      drops.shutdownNow();
    }
  }

  private static void drop(Socket socket) {
    try {
      socket.getOutputStream().write(2);
    } catch (IOException e) {
      // the other side went away, which is what the test waits for
    }
  }

  @Test
  void aBodyUntilTheCloseThatTheBoundCutIsNotWhole() throws Exception {
    try (RawTool tool =
        RawTool.on(
            pair.getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
            (self, socket) ->
                self.readThen(
                    socket,
                    it -> {
                      RawTool.write(it, "HTTP/1.1 200 OK\r\n\r\nbegun");
                      RawTool.awaitClose(it);
                    }))) {
      Exchange.Answer answer =
          (Exchange.Answer)
              exchange(pair, url(tool, "127.0.0.1"), Duration.ofSeconds(30), Duration.ofSeconds(2));
      assertThat(answer.body().kept().utf8String()).isEqualTo("begun");
      assertThat(answer.body().complete()).isFalse();
    }
  }
}
