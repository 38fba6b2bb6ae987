package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.heldcall.config.RemoteKeysSettings;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key set at a real address, and a clock that is moved by hand. */
class RemoteKeySetTest {

  private static final Signer OLD = Signer.ed25519("old");
  private static final Signer NEW = Signer.p256("new");
  private static final Set<Algorithm> KINDS = EnumSet.of(Algorithm.ED25519, Algorithm.ES256);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-05-04T10:00:00Z"));
  private final AtomicReference<String> body = new AtomicReference<>(set(OLD));
  private final AtomicInteger status = new AtomicInteger(200);
  private final AtomicInteger fetches = new AtomicInteger();
  private final KeySetClient client = new KeySetClient();
  private HttpServer server;
  private RemoteKeySet keys;

  private static String set(Signer... signers) {
    return "{\"keys\":["
        + String.join(",", List.of(signers).stream().map(Signer::jwk).toList())
        + "]}";
  }

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jwks",
        exchange -> {
          fetches.incrementAndGet();
          byte[] bytes = body.get().getBytes(UTF_8);
          if (status.get() == 302) {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
          }
          exchange.sendResponseHeaders(status.get(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    keys = new RemoteKeySet(settings(), KINDS, client.source(settings()), now::get);
  }

  private RemoteKeysSettings settings() {
    return new RemoteKeysSettings(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks"),
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        4096);
  }

  @AfterEach
  void end() {
    server.stop(0);
    client.close();
  }

  private KeyLookup find(Signer signer) {
    return keys.find(signer.keyId()).toCompletableFuture().join();
  }

  private static KeyLookup found(Signer signer) {
    return new KeyLookup.Found(VerificationKey.of(signer.jwk(), signer.keyId()));
  }

  private void later(Duration by) {
    now.set(now.get().plus(by));
  }

  @Test
  void isReadOnceAndThenKept() {
    assertThat(find(OLD)).isEqualTo(found(OLD));
    assertThat(find(OLD)).isEqualTo(found(OLD));
    assertThat(fetches).hasValue(1);
  }

  @Test
  void isReadAgainForAKeyThatIsNotThereButNotAtOnce() {
    assertThat(find(NEW)).isEqualTo(new KeyLookup.None("the key 'new' is not in the key set"));
    body.set(set(OLD, NEW));
    assertThat(find(NEW)).isInstanceOf(KeyLookup.None.class);
    assertThat(fetches).hasValue(1);
    later(Duration.ofSeconds(10));
    assertThat(find(NEW)).isEqualTo(found(NEW));
    assertThat(fetches).hasValue(2);
  }

  @Test
  void forgetsWhatLeftIt() {
    assertThat(find(OLD)).isEqualTo(found(OLD));
    body.set(set(NEW));
    later(Duration.ofMinutes(5));
    assertThat(find(OLD)).isInstanceOf(KeyLookup.None.class);
  }

  @Test
  void isUnreachableWhereNothingWasEverRead() {
    status.set(500);
    assertThat(find(OLD))
        .isEqualTo(
            new KeyLookup.Unreachable(
                "the key set could not be read: it was answered with status 500"));
    assertThat(find(OLD)).isInstanceOf(KeyLookup.Unreachable.class);
    assertThat(fetches).as("no storm on what is down").hasValue(1);
  }

  @Test
  void isReliedOnForAWhileThoughItIsDown() {
    assertThat(find(OLD)).isEqualTo(found(OLD));
    status.set(503);
    later(Duration.ofMinutes(30));
    assertThat(find(OLD)).isEqualTo(found(OLD));
    assertThat(find(NEW))
        .as("perhaps it is there by now")
        .isInstanceOf(KeyLookup.Unreachable.class);
    later(Duration.ofMinutes(30));
    assertThat(find(OLD)).isInstanceOf(KeyLookup.Unreachable.class);
  }

  @Test
  void followsNoRedirectAndTakesNothingElse() {
    status.set(302);
    assertThat(find(OLD)).isInstanceOf(KeyLookup.Unreachable.class);
    status.set(200);
    for (String other : List.of("", "[]", "{}", "not json", "x".repeat(5000))) {
      later(Duration.ofSeconds(10));
      body.set(other);
      assertThat(find(OLD)).as(other).isInstanceOf(KeyLookup.Unreachable.class);
    }
  }

  @Test
  void doesNotTakeTwoKeysOfOneName() {
    body.set(set(OLD, Signer.ed25519("old")));
    assertThat(find(OLD)).isInstanceOf(KeyLookup.Unreachable.class);
  }

  @Test
  void passesOverKeysForOtherPurposes() {
    body.set(set(OLD).replace("]}", ",{\"kty\":\"oct\",\"kid\":\"s\",\"k\":\"AAAA\"}]}"));
    assertThat(find(OLD)).isEqualTo(found(OLD));
    assertThat(keys.find("s").toCompletableFuture().join()).isInstanceOf(KeyLookup.None.class);
  }

  @Test
  void givesUpInTime() {
    RemoteKeysSettings hasty =
        new RemoteKeysSettings(
            settings().url(),
            Duration.ofMinutes(5),
            Duration.ofHours(1),
            Duration.ofMillis(50),
            Duration.ofSeconds(10),
            4096);
    RemoteKeySet silent = new RemoteKeySet(hasty, KINDS, CompletableFuture::new, now::get);
    assertThat(silent.find("old").toCompletableFuture().join())
        .isEqualTo(new KeyLookup.Unreachable("the key set could not be read: no answer in time"));
  }

  @Test
  void saysHowKeysStand() {
    SignatureKey key = VerificationKey.of(OLD.jwk(), "old").id();
    assertThat(keys.standing(key, now.get())).isEqualTo(KeyStanding.UNKNOWN);
    assertThat(find(OLD)).isEqualTo(found(OLD));
    assertThat(keys.standing(key, now.get())).isEqualTo(KeyStanding.STANDS);
    assertThat(keys.standing(new SignatureKey("old", "another"), now.get()))
        .isEqualTo(KeyStanding.REVOKED);
    assertThat(keys.standing(key, now.get().plus(Duration.ofHours(1))))
        .isEqualTo(KeyStanding.UNKNOWN);
    body.set(set(NEW));
    later(Duration.ofMinutes(5));
    assertThat(find(NEW)).isEqualTo(found(NEW));
    assertThat(keys.standing(key, now.get())).isEqualTo(KeyStanding.REVOKED);
  }
}
