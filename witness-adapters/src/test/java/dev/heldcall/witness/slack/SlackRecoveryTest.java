package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart.Said;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** After an ask whose answer was lost there is one message, neither none nor two. */
class SlackRecoveryTest {

  private static final WitnessRequest REQUEST = SlackScene.asking(json("{'to':'acct-2'}"));

  private final SlackScene scene = new SlackScene();
  private final SlackWorkspace workspace = scene.workspace();

  @AfterEach
  void close() {
    scene.close();
  }

  private ObjectNode lost() {
    workspace.losesAnswers(true);
    unavailable(scene.ask(REQUEST), true);
    workspace.losesAnswers(false);
    assertThat(workspace.calls("chat.postMessage")).isEqualTo(1);
    return workspace.messages().getLast();
  }

  private void chatter(int messages) {
    for (int i = 0; i < messages; i++) {
      workspace.chatter("B0OTHER", (ObjectNode) json("{'text':'lunch?'}"));
    }
  }

  private static String reference(WitnessAnswer answer) {
    assertThat(answer).isInstanceOf(WitnessAnswer.Waiting.class);
    return ((WitnessAnswer.Waiting) answer).reference();
  }

  private String named(ObjectNode message) {
    return SlackWorkspace.CHANNEL + ":" + message.path("ts").asText();
  }

  @Test
  void aMessageThatWentOutIsFoundAndNotPostedAgain() {
    ObjectNode message = lost();
    scene.restarts(scene.settings(), SlackScene.TIMEOUT);
    assertThat(reference(scene.recover(REQUEST))).isEqualTo(named(message));
    assertThat(workspace.messages()).hasSize(1);
    assertThat(workspace.calls("chat.postMessage")).isEqualTo(1);
  }

  @Test
  void itIsFoundBehindPagesOfOthers() {
    chatter(20);
    ObjectNode message = lost();
    chatter(47);
    assertThat(reference(scene.recover(REQUEST))).isEqualTo(named(message));
    assertThat(workspace.calls("conversations.history")).isEqualTo(4);
    assertThat(workspace.calls("chat.postMessage")).isEqualTo(1);
  }

  @Test
  void itIsFoundByItsButtonsWhereMetadataIsNotShown() {
    ObjectNode message = lost();
    message.remove("metadata");
    assertThat(reference(scene.recover(REQUEST))).isEqualTo(named(message));
    assertThat(workspace.messages()).hasSize(1);
  }

  @Test
  void oneThatDidNotGoOutIsPostedOnce() {
    chatter(31);
    workspace.refuses("chat.postMessage", "ratelimited");
    unavailable(scene.ask(REQUEST), true);
    workspace.allows("chat.postMessage");
    String first = reference(scene.recover(REQUEST));
    assertThat(first).isEqualTo(named(workspace.messages().getLast()));
    assertThat(workspace.messages()).hasSize(32);
    assertThat(reference(scene.recover(REQUEST))).isEqualTo(first);
    assertThat(workspace.messages()).hasSize(32);
  }

  @Test
  void whatSomebodyElsePostsUnderTheIdIsNotIt() {
    ObjectNode forged = RequestMessage.asking(REQUEST, SlackWorkspace.CHANNEL);
    ObjectNode kept = workspace.chatter("B0OTHER", forged);
    assertThat(reference(scene.recover(REQUEST))).isNotEqualTo(named(kept));
    assertThat(workspace.messages()).hasSize(2);
  }

  @Test
  void anotherRequestsMessageIsNotIt() {
    ObjectNode other = lost();
    ((ObjectNode) other.path("metadata").path("event_payload"))
        .put("request_id", "hc_test.1.facts.r2");
    other.putArray("blocks");
    assertThat(reference(scene.recover(REQUEST))).isNotEqualTo(named(other));
  }

  @ParameterizedTest
  @CsvSource({
    "conversations.history,ratelimited,true",
    "conversations.history,internal_error,true",
    "conversations.history,missing_scope,false",
    "conversations.history,not_in_channel,false",
    "auth.test,invalid_auth,false",
    "auth.test,fatal_error,true"
  })
  void nothingIsPostedIfTheChannelCannotBeRead(String method, String error, boolean again) {
    workspace.refuses(method, error);
    assertThat(unavailable(scene.recover(REQUEST), again)).contains(error, "is not known");
    assertThat(workspace.calls("chat.postMessage")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ok\":true}",
        "{\"ok\":true,\"messages\":[],\"has_more\":true}",
        "{\"ok\":true,\"messages\":{}}",
        "not json"
      })
  void norIfItWasNotReadToTheEnd(String body) {
    workspace.answers("conversations.history", Said.json(body));
    unavailable(scene.recover(REQUEST), true);
    assertThat(workspace.calls("chat.postMessage")).isZero();
  }

  @Test
  void norIfReadingBreaksOffInTheMiddle() {
    chatter(40);
    workspace
        .server()
        .answers(
            asked ->
                asked.body().contains("cursor=")
                    ? new Said(429, Map.of("Retry-After", "60"), "")
                    : workspace.answer(asked));
    assertThat(unavailable(scene.recover(REQUEST), true)).contains("ratelimited");
    assertThat(workspace.calls("chat.postMessage")).isZero();
    assertThat(workspace.calls("conversations.history")).isEqualTo(2);
  }

  @Test
  void norIfReadingTookSoLongThatSomebodyElseMayBeLooking() {
    workspace
        .server()
        .answers(
            asked -> {
              if (asked.uri().endsWith("conversations.history")) {
                scene.passes(SlackScene.TIMEOUT.dividedBy(2));
              }
              return workspace.answer(asked);
            });
    assertThat(unavailable(scene.recover(REQUEST), true)).contains("took more than 5s");
    assertThat(workspace.calls("chat.postMessage")).isZero();
  }

  @Test
  void aChannelWithTooMuchInItIsInDoubtForGood() {
    workspace.answers(
        "conversations.history",
        Said.json(
            "{\"ok\":true,\"messages\":[],\"response_metadata\":{\"next_cursor\":\"again\"}}"));
    assertThat(scene.recover(REQUEST))
        .isInstanceOfSatisfying(
            WitnessAnswer.InDoubt.class,
            doubt -> assertThat(doubt.reason()).contains("3000 messages"));
    assertThat(workspace.calls("chat.postMessage")).isZero();
    assertThat(workspace.calls("conversations.history")).isEqualTo(200);
  }

  @Test
  void aPostWhoseAnswerIsLostAgainIsFoundTheNextTime() {
    workspace.losesAnswers(true);
    unavailable(scene.recover(REQUEST), true);
    workspace.losesAnswers(false);
    assertThat(reference(scene.recover(REQUEST))).isEqualTo(named(workspace.messages().getLast()));
    assertThat(workspace.messages()).hasSize(1);
  }

  @Test
  void whereItMayBeAskedTwiceItLooksFirst() {
    scene.mayBeAskedTwice();
    String first = reference(scene.ask(REQUEST));
    assertThat(reference(scene.ask(REQUEST))).isEqualTo(first);
    assertThat(workspace.messages()).hasSize(1);
  }

  @Test
  void theChannelIsReadFromALittleBeforeTheCall() {
    scene.recover(REQUEST);
    String oldest = REQUEST.createdAt().minus(Duration.ofMinutes(5)).getEpochSecond() + ".000000";
    assertThat(workspace.server().asked().get(1).body())
        .contains("oldest=" + oldest, "include_all_metadata=true", "inclusive=true");
  }
}
