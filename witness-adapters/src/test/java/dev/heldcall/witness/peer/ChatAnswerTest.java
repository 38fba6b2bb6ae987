package dev.heldcall.witness.peer;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only exactly the answer that was asked for decides. */
class ChatAnswerTest {

  private static final String VERDICT =
      "{\"decision\":\"approve\",\"reason\":\"within the limit\",\"call_digest\":\"sha256:1\"}";

  /** The published example of an answer, with a content of ours. */
  static ObjectNode answer(String content) {
    ObjectNode body =
        (ObjectNode)
            json(
                """
                {'id': 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT', 'object': 'chat.completion',
                 'created': 1741569952, 'model': 'gpt-5.4',
                 'choices': [{'index': 0,
                   'message': {'role': 'assistant', 'content': '', 'refusal': null,
                     'annotations': []},
                   'logprobs': null, 'finish_reason': 'stop'}],
                 'usage': {'prompt_tokens': 19, 'completion_tokens': 10, 'total_tokens': 29,
                   'prompt_tokens_details': {'cached_tokens': 0, 'audio_tokens': 0},
                   'completion_tokens_details': {'reasoning_tokens': 0, 'audio_tokens': 0,
                     'accepted_prediction_tokens': 0, 'rejected_prediction_tokens': 0}},
                 'service_tier': 'default'}
                """);
    message(body).put("content", content);
    return body;
  }

  private static ObjectNode choice(JsonNode body) {
    return (ObjectNode) body.get("choices").get(0);
  }

  private static ObjectNode message(JsonNode body) {
    return (ObjectNode) choice(body).get("message");
  }

  @Test
  void theVerdictAloneDecides() {
    assertThat(ChatAnswer.of(answer(VERDICT)))
        .isEqualTo(new ChatAnswer.Decided(true, "within the limit", "sha256:1", VERDICT));
    assertThat(ChatAnswer.of(answer(" \n" + VERDICT.replace("approve", "deny") + "\n")))
        .isInstanceOfSatisfying(
            ChatAnswer.Decided.class, decided -> assertThat(decided.approves()).isFalse());
    assertThat(ChatAnswer.of(answer(VERDICT.replace("approve", "undecided"))))
        .isEqualTo(new ChatAnswer.Undecided("the model is undecided: within the limit"));
  }

  @Test
  void thePublishedExampleDecidesNothing() {
    assertThat(ChatAnswer.of(answer("Hello! How can I assist you today?")))
        .isInstanceOf(ChatAnswer.Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "approve",
        "\"approve\"",
        "null",
        "[{'decision':'approve','reason':'','call_digest':''}]",
        "Sure: {'decision':'approve','reason':'','call_digest':''}",
        "{'decision':'approve','reason':'','call_digest':''} I hope this helps",
        "{'decision':'approve','reason':'','call_digest':''}{}",
        "```json\n{'decision':'approve','reason':'','call_digest':''}\n```",
        "{'decision':'approve','reason':'','call_digest':'','extra':1}",
        "{'decision':'approve','reason':''}",
        "{'decision':'approve','decision':'approve','reason':'','call_digest':''}",
        "{'decision':'deny','decision':'approve','reason':'','call_digest':''}",
        "{'decision':'Approve','reason':'','call_digest':''}",
        "{'decision':'approve ','reason':'','call_digest':''}",
        "{'decision':true,'reason':'','call_digest':''}",
        "{'decision':['approve'],'reason':'','call_digest':''}",
        "{'decision':'approve','reason':null,'call_digest':''}",
        "{'decision':'approve','reason':'','call_digest':1}",
        "{decision:'approve',reason:'',call_digest:''}",
        "{'decision':'approve','reason':'','call_digest':''"
      })
  void anythingElseDoesNot(String content) {
    assertThat(ChatAnswer.of(answer(content.replace('\'', '"'))))
        .isInstanceOf(ChatAnswer.Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"length", "content_filter", "tool_calls", "function_call", "", "STOP"})
  void anAnswerThatDidNotStopByItselfDecidesNothing(String finish) {
    ObjectNode body = answer(VERDICT);
    choice(body).put("finish_reason", finish);
    assertThat(ChatAnswer.of(body)).isInstanceOf(ChatAnswer.Undecided.class);
  }

  @Test
  void neitherDoesOneThatIsMoreThanAnAnswer() {
    ObjectNode refusing = answer(VERDICT);
    message(refusing).put("refusal", "I can't help with that.");
    assertThat(ChatAnswer.of(refusing))
        .isEqualTo(new ChatAnswer.Undecided("the model refused to judge the call"));
    ObjectNode calling = answer(VERDICT);
    message(calling).putArray("tool_calls").addObject().put("id", "call_1");
    assertThat(ChatAnswer.of(calling)).isInstanceOf(ChatAnswer.Undecided.class);
    ObjectNode speaking = answer(VERDICT);
    message(speaking).put("role", "user");
    assertThat(ChatAnswer.of(speaking)).isInstanceOf(ChatAnswer.Undecided.class);
    ObjectNode several = answer(VERDICT);
    ((ArrayNode) several.get("choices")).add(choice(several).deepCopy());
    assertThat(ChatAnswer.of(several))
        .isEqualTo(new ChatAnswer.Undecided("the model gave 2 answers where one was asked for"));
    ObjectNode silent = answer(VERDICT);
    message(silent).putNull("content");
    assertThat(ChatAnswer.of(silent)).isInstanceOf(ChatAnswer.Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'choices':{}}",
        "{'choices':[{'finish_reason':'stop'}]}",
        "{'error':{'message':'no'}}",
        "{'choices':[7]}"
      })
  void whatIsNoAnswerOfTheApiIsMalformed(String body) {
    assertThat(ChatAnswer.of(json(body))).isInstanceOf(ChatAnswer.Malformed.class);
  }
}
