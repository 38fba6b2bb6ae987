package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart.Said;
import dev.heldcall.witness.HttpSides;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages go out once, into the right channel, and are followed up and taken back. */
class SlackAskTest {

  private static final WitnessRequest REQUEST =
      SlackScene.asking(json("{'to':'acct-2','amount_minor':125000}"));

  private final SlackScene scene = new SlackScene();

  @AfterEach
  void close() {
    scene.close();
  }

  private String reference() {
    return ((WitnessAnswer.Waiting) scene.ask(REQUEST)).reference();
  }

  @Test
  void aRequestIsAMessageWithButtonsThatAreBoundToTheCall() {
    WitnessAnswer answer = scene.ask(REQUEST);
    ObjectNode message = scene.workspace().messages().getLast();
    assertThat(answer)
        .isInstanceOfSatisfying(
            WitnessAnswer.Waiting.class,
            waiting ->
                assertThat(waiting.reference())
                    .isEqualTo(SlackWorkspace.CHANNEL + ":" + message.path("ts").asText()));
    assertThat(message.path("metadata"))
        .isEqualTo(
            json(
                "{'event_type':'heldcall_request',"
                    + "'event_payload':{'request_id':'hc_test.1.facts'}}"));
    for (String decision : new String[] {"approve", "deny"}) {
      JsonNode button =
          Objects.requireNonNull(SlackWorkspace.button(message, "heldcall_" + decision));
      assertThat(json(button.path("value").asText()))
          .isEqualTo(
              json(
                  "{'request_id':'hc_test.1.facts','held_id':'hc_test','generation':1,"
                      + "'call_digest':'"
                      + REQUEST.callDigest()
                      + "','contract_digest':'"
                      + REQUEST.contractDigest()
                      + "','decision':'"
                      + decision
                      + "'}"));
    }
    assertThat(message.path("blocks").toString())
        .contains("money_transfer", "agent-1 of acme/default", "family-a", "hc_test, generation 1")
        .contains("\\\"to\\\": \\\"acct-2\\\"", "\\\"amount_minor\\\": 125000")
        .contains(SlackScene.LINK, REQUEST.argsDigest().value(), "<!date^1796130000^");
  }

  @Test
  void itIsNoMoreThanOneMessage() {
    scene.ask(REQUEST);
    assertThat(scene.workspace().messages()).hasSize(1);
    assertThat(scene.workspace().server().asked()).hasSize(1);
    assertThat(new SlackType().repeatable()).isFalse();
  }

  @Test
  void theFirstRouteThatHasTheToolSaysTheChannel() {
    ObjectNode settings = scene.settings().put("channel", "C0OTHER");
    settings.set(
        "routes",
        json(
            "[{'tools':['payments.*','money'],'channel':'C0PAY'},"
                + "{'tools':['mail','money_*'],'channel':'"
                + SlackWorkspace.CHANNEL
                + "'},{'tools':['*'],'channel':'C0ALL'}]"));
    scene.restarts(settings, SlackScene.TIMEOUT);
    assertThat(scene.ask(REQUEST)).isInstanceOf(WitnessAnswer.Waiting.class);
    assertThat(scene.workspace().server().last().json().path("channel").asText())
        .isEqualTo(SlackWorkspace.CHANNEL);
  }

  @Test
  void aToolWithoutAChannelIsNotAskedAbout() {
    ObjectNode settings = scene.settings();
    settings.remove("channel");
    settings.set("routes", json("[{'tools':['payments.*'],'channel':'C0PAY'}]"));
    scene.restarts(settings, SlackScene.TIMEOUT);
    assertThat(unavailable(scene.ask(REQUEST), false)).contains("no channel");
    assertThat(unavailable(scene.recover(REQUEST), false)).contains("no channel");
    assertThat(scene.workspace().server().asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "channel_not_found",
        "not_in_channel",
        "missing_scope",
        "token_revoked",
        "is_archived",
        "invalid_blocks"
      })
  void whatWillNotChangeIsNotTriedAgain(String error) {
    scene.workspace().refuses("chat.postMessage", error);
    assertThat(unavailable(scene.ask(REQUEST), false)).contains(error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ratelimited", "internal_error", "service_unavailable", "fatal_error"})
  void whatMayChangeIs(String error) {
    scene.workspace().refuses("chat.postMessage", error);
    assertThat(unavailable(scene.ask(REQUEST), true)).contains(error);
  }

  @ParameterizedTest
  @CsvSource({"400,false", "403,false", "404,false", "302,false", "408,true", "500,true"})
  void soIsAStatus(int status, boolean again) {
    scene
        .workspace()
        .answers("chat.postMessage", new Said(status, Map.of("Location", "/elsewhere"), "s3cret"));
    assertThat(unavailable(scene.ask(REQUEST), again))
        .contains(Integer.toString(status))
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"ok\":\"true\"}",
        "{\"ok\":true}",
        "{\"ok\":true,\"channel\":\"C061EG9T2\",\"ts\":\"now\"}",
        "[]",
        "{\"ok\":false,\"error\":\"<b>bold words</b>\"}"
      })
  void anAnswerThatSlackDoesNotGiveLeavesItOpen(String body) {
    scene.workspace().answers("chat.postMessage", Said.json(body));
    assertThat(unavailable(scene.ask(REQUEST), true))
        .startsWith("chat.postMessage failed")
        .doesNotContain("bold");
  }

  @Test
  void slackIsLeftAloneForAsLongAsItAsks() {
    scene.workspace().answers("chat.postMessage", new Said(429, Map.of("Retry-After", "30"), ""));
    assertThat(unavailable(scene.ask(REQUEST), true)).contains("ratelimited", "30s");
    scene.workspace().allows("chat.postMessage");
    assertThat(unavailable(scene.ask(REQUEST), true)).contains("left alone until");
    assertThat(scene.workspace().calls("chat.postMessage")).isEqualTo(1);
    scene.passes(Duration.ofSeconds(30));
    assertThat(scene.ask(REQUEST)).isInstanceOf(WitnessAnswer.Waiting.class);
  }

  @Test
  void slackThatIsSlowOrNotThereIsUnavailable() {
    scene.restarts(scene.settings(), Duration.ofMillis(100));
    scene.workspace().server().saysNothing();
    assertThat(unavailable(scene.ask(REQUEST), true)).contains("did not answer");
    ObjectNode nowhere =
        scene.settings().put("api", "http://127.0.0.1:" + HttpSides.closedPort() + "/api");
    scene.restarts(nowhere, SlackScene.TIMEOUT);
    assertThat(unavailable(scene.ask(REQUEST), true)).contains("cannot be connected to");
  }

  @Test
  void aWithdrawnRequestSaysHowItEndedAndHasNoButtons() {
    String reference = reference();
    SlackScene.said(
        scene
            .provider()
            .withdraw(SlackScene.withdrawal(REQUEST, reference, "denied by <!channel> & bob")));
    ObjectNode message = scene.workspace().messages().getLast();
    assertThat(scene.workspace().messages()).hasSize(1);
    assertThat(message.path("blocks").toString())
        .contains("denied by <!channel> & bob")
        .doesNotContain("\"actions\"", "button", "mrkdwn\",\"text\":\"No witness");
    assertThat(message.path("text").asText()).contains("denied by &lt;!channel&gt; &amp; bob");
    assertThat(SlackWorkspace.button(message, "heldcall_approve")).isNull();
  }

  @Test
  void aWithdrawalIsRepeatedUnlessItNeverWillSucceed() {
    String reference = reference();
    scene.workspace().refuses("chat.update", "ratelimited");
    var withdrawal = SlackScene.withdrawal(REQUEST, reference, "expired");
    assertThatThrownBy(() -> SlackScene.said(scene.provider().withdraw(withdrawal)))
        .hasMessageContaining("ratelimited");
    scene.workspace().refuses("chat.update", "message_not_found");
    assertThat(SlackScene.said(scene.provider().withdraw(withdrawal))).isNull();
    var nothing = SlackScene.withdrawal(REQUEST, "no reference", "expired");
    assertThat(SlackScene.said(scene.provider().withdraw(nothing))).isNull();
    assertThat(scene.workspace().calls("chat.update")).isEqualTo(2);
  }

  @Test
  void aReminderIsAReplyInTheThread() {
    assertThat(scene.provider().remindBefore())
        .containsExactly(Duration.ofMinutes(30), Duration.ofMinutes(5));
    String reference = reference();
    SlackScene.said(scene.provider().remind(REQUEST, reference));
    ObjectNode reminder = scene.workspace().messages().getLast();
    assertThat(scene.workspace().messages()).hasSize(2);
    assertThat(reminder.path("thread_ts").asText())
        .isEqualTo(reference.substring(reference.indexOf(':') + 1));
    assertThat(reminder.path("blocks").toString()).contains("money_transfer", "<!date^");
    assertThat(reminder.has("metadata")).isFalse();
    assertThat(SlackWorkspace.button(reminder, "heldcall_approve")).isNull();
  }
}
