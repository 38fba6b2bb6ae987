package dev.heldcall.kernel.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
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
    return new ToolClient(testKit.system(), tls, 1 << 20)
        .exchange(
            ToolClient.uri(url),
            HttpRequest.create().withMethod(HttpMethods.POST).withEntity("{}"),
            new ToolClient.Bounds(toSend, Duration.ofSeconds(40)),
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
}
