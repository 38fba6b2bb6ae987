package dev.heldcall.witness.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.IncomingMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of docs.slack.dev, "Verifying requests from Slack", and what is near it. */
class SlackSignatureTest {

  private static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
  private static final String TIME = "1531420618";
  private static final Instant AT = Instant.ofEpochSecond(1531420618);
  private static final String SIGNATURE =
      "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
  private static final String BODY =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
          + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
          + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
          + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

  private final SlackSignature signature = SlackSignature.of(SECRET, null);

  private static IncomingMessage message(String time, String signature, String body) {
    return new IncomingMessage(
        Map.of(
            "X-Slack-Request-Timestamp", List.of(time),
            "X-Slack-Signature", List.of(signature)),
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void thePublishedExampleIsSlacks() {
    assertThat(signature.problem(message(TIME, SIGNATURE, BODY), AT)).isNull();
  }

  @Test
  void theSameUnderAnotherTimeOrBodyOrSecretIsNot() {
    assertThat(signature.problem(message("1531420619", SIGNATURE, BODY), AT)).contains("signature");
    assertThat(signature.problem(message(TIME, SIGNATURE, BODY + "&x"), AT)).contains("signature");
    assertThat(SlackSignature.of(SECRET + "6", null).problem(message(TIME, SIGNATURE, BODY), AT))
        .contains("signature");
  }

  @Test
  void fiveMinutesEitherWayAreTheLimit() {
    IncomingMessage message = message(TIME, SIGNATURE, BODY);
    Duration five = Duration.ofMinutes(5);
    assertThat(signature.problem(message, AT.plus(five))).isNull();
    assertThat(signature.problem(message, AT.minus(five))).isNull();
    assertThat(signature.problem(message, AT.plus(five).plusMillis(1))).contains("5 minutes");
    assertThat(signature.problem(message, AT.minus(five).minusMillis(1))).contains("5 minutes");
  }

  @Test
  void theSecretBeforeIsBelievedWhileItIsReplaced() {
    SlackSignature both = SlackSignature.of("another-secret-of-32-characters!", SECRET);
    assertThat(both.problem(message(TIME, SIGNATURE, BODY), AT)).isNull();
    assertThat(both.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v0=",
        "a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
        "v1=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
        "v0=A2114D57B48EAC39B9AD189DD8316235A7B4A8D21A10BD27519666489C69B503",
        "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503,v0=0"
      })
  void anotherFormIsNone(String given) {
    assertThat(signature.problem(message(TIME, given, BODY), AT)).contains("X-Slack-Signature");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1531420618", "1531420618.5", "1531420618 ", "99999999999999"})
  void anotherTimeIsNone(String time) {
    assertThat(signature.problem(message(time, SIGNATURE, BODY), AT)).contains("Timestamp");
  }

  @Test
  void headersAreThereOnce() {
    byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
    Map<String, List<String>> twice =
        Map.of(
            "X-Slack-Request-Timestamp", List.of(TIME),
            "X-Slack-Signature", List.of(SIGNATURE, SIGNATURE));
    assertThat(signature.problem(new IncomingMessage(twice, body), AT)).contains("once each");
    assertThat(signature.problem(new IncomingMessage(Map.of(), body), AT)).contains("once each");
  }
}
