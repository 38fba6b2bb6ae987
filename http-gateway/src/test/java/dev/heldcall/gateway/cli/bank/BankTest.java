package dev.heldcall.gateway.cli.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bank runs what a node released, once a request, and nothing else. */
class BankTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant DEADLINE = NOW.plusSeconds(5);
  private static final byte[] BODY =
      "{\"amount_minor\":125000,\"from\":\"acct-1\",\"to\":\"acct-2\"}"
          .getBytes(StandardCharsets.UTF_8);

  private final HttpClient client = HttpClient.newHttpClient();
  private Instant bankTime = NOW;
  private TestIssuer issuer;
  private Bank bank;

  @BeforeEach
  void open() throws Exception {
    issuer = TestIssuer.open("key-1");
    bank = Bank.open(0, issuer::uri, () -> bankTime);
  }

  @AfterEach
  void close() {
    bank.close();
    issuer.close();
  }

  @Test
  void aGoodPermitMakesOneEffectThatCanBeReadBack() throws Exception {
    HttpResponse<String> answer = transfer(claims(1));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"booking\":\"transfer-1\"", "\"amount_minor\":125000");
    assertThat(bank.effects()).hasSize(1);
    HttpResponse<String> readBack = get("/transfers/hc_a.1");
    assertThat(readBack.statusCode()).isEqualTo(200);
    assertThat(readBack.body()).isEqualTo(answer.body());
    assertThat(bank.readBacks()).isEqualTo(1);
    assertThat(get("/effects").body())
        .contains("\"count\":1", "\"held_id\":\"hc_a\"", "\"fencing_token\":\"1.1\"");
  }

  @Test
  void theKeysAreFetchedOnce() throws Exception {
    assertThat(issuer.fetches()).isZero();
    transfer(claims(1));
    transfer(claims(2));
    assertThat(issuer.fetches()).isEqualTo(1);
  }

  @Test
  void theSameRequestTwiceIsTwoEffects() throws Exception {
    transfer(claims(1));
    transfer(claims(1));
    assertThat(bank.effects()).hasSize(2);
  }

  @Test
  void nothingBookedReadsBackAsNotFound() throws Exception {
    assertThat(get("/transfers/hc_a.1").statusCode()).isEqualTo(404);
  }

  @Test
  void aLowerFencingTokenIsRefused() throws Exception {
    assertThat(transfer(claims(10)).statusCode()).isEqualTo(200);
    HttpResponse<String> late = transfer(claims(9));
    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(bank.effects()).hasSize(1);
  }

  @Test
  void anEffectMayBeMadeAndItsAnswerDropped() throws Exception {
    bank.beforeAnswering(effect -> false);
    assertThatThrownBy(() -> transfer(claims(1))).isInstanceOf(IOException.class);
    assertThat(get("/transfers/hc_a.1").statusCode()).isEqualTo(200);
    assertThat(bank.effects()).hasSize(1);
  }

  @Test
  void withoutTheIssuersKeysNothingRuns() throws Exception {
    issuer.close();
    assertThat(transfer(claims(1)).statusCode()).isEqualTo(503);
    assertThat(bank.effects()).isEmpty();
  }

  @Nested
  class Refused {

    @AfterEach
    void nothingRan() {
      assertThat(bank.effects()).isEmpty();
    }

    @Test
    void noPermit() throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(bank.uri().resolve("/transfers"))
              .POST(HttpRequest.BodyPublishers.ofByteArray(BODY))
              .build();
      assertThat(send(request).statusCode()).isEqualTo(403);
    }

    @Test
    void aForgedSignature() throws Exception {
      try (TestIssuer forger = TestIssuer.open("key-1")) {
        assertRefused(send("/transfers", forger.sign(claims(1)), BODY, builder -> {}), "signature");
      }
    }

    @Test
    void anUnknownKey() throws Exception {
      try (TestIssuer other = TestIssuer.open("key-2")) {
        assertRefused(
            send("/transfers", other.sign(claims(1)), BODY, builder -> {}), "unknown key");
      }
    }

    @Test
    void noSignatureAtAll() throws Exception {
      String none = TestIssuer.encode("{\"alg\":\"none\"}");
      String unsigned = none + "." + TestIssuer.encode(claims(1).toString()) + ".";
      assertRefused(send("/transfers", unsigned, BODY, builder -> {}), "EdDSA");
    }

    @Test
    void claimsChangedAfterSigning() throws Exception {
      String[] parts = issuer.sign(claims(1)).split("\\.", -1);
      String changed = claims(1).put("fencing_token", "1.9").toString();
      String forged = parts[0] + "." + TestIssuer.encode(changed) + "." + parts[2];
      assertRefused(send("/transfers", forged, BODY, builder -> {}), "signature");
    }

    @Test
    void anotherBody() throws Exception {
      byte[] other = "{\"amount_minor\":999}".getBytes(StandardCharsets.UTF_8);
      assertRefused(send("/transfers", issuer.sign(claims(1)), other, builder -> {}), "body");
    }

    @Test
    void anotherTool() throws Exception {
      assertRefused(send("/notes", issuer.sign(claims(1)), BODY, builder -> {}), "tool");
    }

    @Test
    void atTheDeadline() throws Exception {
      bankTime = DEADLINE;
      assertRefused(transfer(claims(1)), "ended");
    }

    @Test
    void anotherIssuer() throws Exception {
      assertRefused(transfer(claims(1).put("iss", "somebody")), "issuer");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "held_id",
          "generation",
          "args_digest",
          "fencing_token",
          "idempotency_key",
          "lease_id",
          "deadline",
          "iat",
          "exp"
        })
    void aMissingClaim(String claim) throws Exception {
      ObjectNode claims = claims(1);
      claims.remove(claim);
      assertRefused(transfer(claims), claim);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "Idempotency-Key",
          "Heldcall-Id",
          "Heldcall-Call-Digest",
          "Heldcall-Fencing-Token"
        })
    void aHeaderThatIsNotThePermits(String header) throws Exception {
      assertRefused(
          send(
              "/transfers",
              issuer.sign(claims(1)),
              BODY,
              builder -> builder.setHeader(header, "other")),
          header);
    }

    private static void assertRefused(HttpResponse<String> answer, String reason) {
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      assertThat(answer.body()).contains(reason);
    }
  }

  private static ObjectNode claims(int attempt) {
    return TestIssuer.claims(BODY, attempt, DEADLINE);
  }

  private HttpResponse<String> transfer(ObjectNode claims) throws Exception {
    String token = claims.path("fencing_token").asText("1.1");
    return send(
        "/transfers",
        issuer.sign(claims),
        BODY,
        builder -> builder.setHeader("Heldcall-Fencing-Token", token));
  }

  private HttpResponse<String> send(
      String path, String permit, byte[] body, Consumer<HttpRequest.Builder> changes)
      throws Exception {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(bank.uri().resolve(path))
            .header("Heldcall-Permit", permit)
            .header("Idempotency-Key", "hc_a.1")
            .header("Heldcall-Id", "hc_a")
            .header("Heldcall-Call-Digest", "sha256:" + "a".repeat(64))
            .header("Heldcall-Fencing-Token", "1.1")
            .header("Heldcall-Deadline", DEADLINE.toString())
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    changes.accept(builder);
    return send(builder.build());
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = bank.uri().resolve(path);
    return send(HttpRequest.newBuilder(uri).GET().build());
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
