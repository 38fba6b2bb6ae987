package dev.heldcall.witness.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.IncomingMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On the vector that every library of Standard Webhooks is published with. */
class WebhookKeysTest {

  private static final String SECRET = StandardWebhooks.SECRET;
  private static final String OTHER = "whsec_" + "QUJD".repeat(10);
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final String TIME = "1614265330";
  private static final Instant AT = Instant.ofEpochSecond(1_614_265_330);
  private static final String BODY = "{\"test\": 2432232314}";
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final WebhookKeys KEYS = WebhookKeys.of(SECRET, null);

  private static IncomingMessage message(String id, String time, String signature, String body) {
    return new IncomingMessage(
        Map.of(
            "webhook-id", List.of(id),
            "webhook-timestamp", List.of(time),
            "webhook-signature", List.of(signature)),
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void thePublishedVectorIsSignedAndBelieved() {
    assertThat(KEYS.sign(ID, AT, BODY)).isEqualTo(SIGNATURE);
    assertThat(KEYS.problem(message(ID, TIME, SIGNATURE, BODY), AT)).isNull();
    assertThat(StandardWebhooks.signature(SECRET, ID, TIME, BODY)).isEqualTo(SIGNATURE);
  }

  @ParameterizedTest
  @CsvSource({"-300,true", "300,true", "-301,false", "301,false", "0,true"})
  void aMessageIsFreshForFiveMinutes(long after, boolean fresh) {
    String problem = KEYS.problem(message(ID, TIME, SIGNATURE, BODY), AT.plusSeconds(after));
    if (fresh) {
      assertThat(problem).isNull();
    } else {
      assertThat(problem).contains("webhook-timestamp");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "msg_other|1614265330|{\"test\": 2432232314}",
        "msg_p5jXN8AQM9LWM0D4loKWxJek|1614265331|{\"test\": 2432232314}",
        "msg_p5jXN8AQM9LWM0D4loKWxJek|1614265330|{\"test\":2432232314}",
        "msg_p5jXN8AQM9LWM0D4loKWxJek|1614265330|{\"test\": 2432232314} " + "and more|",
      },
      maxCharsPerColumn = 200)
  void nothingElseIsSigned(String id, String time, String body) {
    assertThat(KEYS.problem(message(id, time, SIGNATURE, String.valueOf(body)), AT))
        .contains("no signature");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE",
        "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v1,",
        "v1",
        " ",
        ","
      })
  void noOtherSignatureIsBelieved(String signature) {
    assertThat(KEYS.problem(message(ID, TIME, signature, BODY), AT)).contains("no signature");
  }

  @Test
  void oneOfSeveralSignaturesIsEnough() {
    assertThat(KEYS.problem(message(ID, TIME, "v1a,xx v1,AAAA " + SIGNATURE, BODY), AT)).isNull();
    String tooMany = "v1,AAAA ".repeat(8) + SIGNATURE;
    assertThat(KEYS.problem(message(ID, TIME, tooMany, BODY), AT)).isNotNull();
  }

  @Test
  void aSecretIsReplacedWithoutAPause() {
    WebhookKeys both = WebhookKeys.of(OTHER, SECRET);
    assertThat(both.problem(message(ID, TIME, SIGNATURE, BODY), AT)).isNull();
    assertThat(both.sign(ID, AT, BODY))
        .isEqualTo(StandardWebhooks.signature(OTHER, ID, TIME, BODY) + " " + SIGNATURE);
    assertThat(WebhookKeys.of(OTHER, null).problem(message(ID, TIME, SIGNATURE, BODY), AT))
        .isNotNull();
    assertThat(both.toString()).doesNotContain("MfKQ").doesNotContain("QUJD");
  }

  @ParameterizedTest
  @CsvSource({
    "a.b,1614265330",
    "'',1614265330",
    "a b,1614265330",
    "a,+1614265330",
    "a,1e9",
    "a,-1"
  })
  void theHeadersAreOfTheirForm(String id, String time) {
    String signature = StandardWebhooks.signature(SECRET, id, time, BODY);
    assertThat(KEYS.problem(message(id, time, signature, BODY), AT)).contains("headers");
  }

  @Test
  void aHeaderTwiceIsNone() {
    IncomingMessage twice =
        new IncomingMessage(
            Map.of(
                "webhook-id", List.of(ID),
                "webhook-timestamp", List.of(TIME),
                "webhook-signature", List.of("v1,AAAA", SIGNATURE)),
            BODY.getBytes(StandardCharsets.UTF_8));
    assertThat(KEYS.problem(twice, AT)).contains("once each");
  }

  @ParameterizedTest
  @CsvSource({
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,true",
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,false",
    "whsec_QUJD,false",
    "whsec_*,false",
    "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw,false"
  })
  void aSecretHasItsForm(String text, boolean is) {
    assertThat(WebhookKeys.isSecret(text)).isEqualTo(is);
  }
}
