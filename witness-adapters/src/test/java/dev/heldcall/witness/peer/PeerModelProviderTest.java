package dev.heldcall.witness.peer;

import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.attested;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.deferred;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Said;
import dev.heldcall.witness.FactRequests;
import dev.heldcall.witness.evidence.EvidenceJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server that answers as the chat completions API's published example does. */
class PeerModelProviderTest {

  private static final WitnessRequest REQUEST = asking("{'to':'acct-2','amount_minor':125000}");

  private final Counterpart service = Counterpart.start();
  private final List<WitnessProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(WitnessProvider::close);
    service.close();
  }

  private static ObjectNode settings(String more) {
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'url':'http://127.0.0.1:1/v1/chat/completions','model':'gpt-5.4',"
                    + "'model-family':'family-b','criteria':'At most 2000 EUR.','token':'t0ken'}");
    settings.setAll((ObjectNode) json("{" + more + "}"));
    return settings;
  }

  private WitnessProvider provider(String more, Duration timeout) throws Exception {
    WitnessProvider provider =
        new PeerModelType()
            .create(
                contract("peer-model", timeout),
                settings(more).put("url", service.url() + "/v1/chat/completions"),
                services());
    opened.add(provider);
    return provider;
  }

  private WitnessProvider provider(String more) throws Exception {
    return provider(more, Duration.ofSeconds(10));
  }

  private static String verdict(String decision, String reason, String digest) {
    ObjectNode verdict = (ObjectNode) json("{}");
    return verdict
        .put("decision", decision)
        .put("reason", reason)
        .put("call_digest", digest)
        .toString();
  }

  private void decides(String decision) {
    says(verdict(decision, "within the limit", FactRequests.CALL.value()));
  }

  private void says(String content) {
    service.answers(ChatAnswerTest.answer(content).toString());
  }

  @Test
  void isAskedByTheChatCompletionsApi() throws Exception {
    decides("approve");
    attested(ask(provider(""), REQUEST), REQUEST, APPROVE);
    Counterpart.Asked asked = service.last();
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(asked.uri()).isEqualTo("/v1/chat/completions");
    assertThat(asked.headers()).containsEntry("authorization", "Bearer t0ken");
    JsonNode body = asked.json();
    assertThat(body.path("model").asText()).isEqualTo("gpt-5.4");
    assertThat(body.path("temperature").intValue()).isZero();
    assertThat(body.path("n").intValue()).isEqualTo(1);
    assertThat(body.path("stream").booleanValue()).isFalse();
    assertThat(body.path("max_completion_tokens").intValue()).isEqualTo(1024);
    assertThat(body.path("response_format"))
        .isEqualTo(
            json(
                """
                {'type':'json_schema','json_schema':{'name':'verdict','strict':true,'schema':{
                  'type':'object','properties':{
                    'decision':{'type':'string','enum':['approve','deny','undecided']},
                    'reason':{'type':'string'},'call_digest':{'type':'string'}},
                  'required':['decision','reason','call_digest'],
                  'additionalProperties':false}}}
                """));
    assertThat(body.path("messages")).hasSize(2);
    assertThat(body.path("messages").get(0).path("role").asText()).isEqualTo("system");
    assertThat(body.path("messages").get(0).path("content").asText())
        .contains("At most 2000 EUR.")
        .doesNotContain("acct-2");
    assertThat(body.path("messages").get(1).path("role").asText()).isEqualTo("user");
    assertThat(framed(asked).path("call").path("args")).isEqualTo(REQUEST.args());
  }

  /** The document in the frame of the request that left. */
  private static JsonNode framed(Counterpart.Asked asked) throws Exception {
    List<String> lines =
        asked.json().path("messages").get(1).path("content").asText().lines().toList();
    assertThat(lines.get(lines.size() - 3)).matches("<<<CALL [0-9a-f]{32}>>>");
    assertThat(lines.getLast()).isEqualTo(lines.get(lines.size() - 3).replace("<<<CALL", "<<<END"));
    return new ObjectMapper().readTree(lines.get(lines.size() - 2));
  }

  @Test
  void isRecordedWithItsModelAndItsPrompt() throws Exception {
    String content = verdict("approve", "within the limit", FactRequests.CALL.value());
    ObjectNode answer = ChatAnswerTest.answer(content);
    service.answers(answer.put("system_fingerprint", "fp_fc9f1d7035").toString());
    Attestation attestation = attested(ask(provider(""), REQUEST), REQUEST, APPROVE);
    assertThat(attestation.reason()).isEqualTo("within the limit");
    String prompt = service.last().json().path("messages").get(0).path("content").asText();
    ObjectNode expected =
        (ObjectNode)
            json(
                "{'type':'peer-model','model':'gpt-5.4','model_family':'family-b',"
                    + "'response_id':'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',"
                    + "'system_fingerprint':'fp_fc9f1d7035'}");
    expected.put("prompt_digest", EvidenceJson.digest(prompt).value());
    expected.put("digest", EvidenceJson.digest(content).value());
    assertThat(attestation.evidence()).isEqualTo(expected);
  }

  @Test
  void deniesAndLeavesUndecided() throws Exception {
    decides("deny");
    attested(ask(provider(""), REQUEST), REQUEST, DENY);
    decides("undecided");
    assertThat(deferred(ask(provider(""), REQUEST)))
        .isEqualTo("the model is undecided: within the limit");
    says("I would say: approve!");
    assertThat(deferred(ask(provider(""), REQUEST))).contains("not exactly what was asked for");
  }

  @Test
  void thatAnswersForAnotherCallIsNotHeard() throws Exception {
    for (String digest : List.of("sha256:" + "0".repeat(64), "", "c".repeat(64))) {
      for (String decision : List.of("approve", "deny")) {
        says(verdict(decision, "", digest));
        assertThat(unavailable(ask(provider(""), REQUEST), true))
            .isEqualTo("the model's answer is for another call");
      }
    }
  }

  @Test
  void isTheModelThatWasPinned() throws Exception {
    decides("approve");
    assertThat(unavailable(ask(provider("'answered-by':'gpt-5.4-2026-03-05'"), REQUEST), true))
        .contains("another model answered");
    assertThat(unavailable(ask(provider("'answered-by-prefix':'gpt-5.4-'"), REQUEST), true))
        .contains("another model answered");
    attested(ask(provider("'answered-by-prefix':'gpt-5.'"), REQUEST), REQUEST, APPROVE);
    ObjectNode nameless = ChatAnswerTest.answer("{}");
    nameless.remove("model");
    service.answers(nameless.toString());
    unavailable(ask(provider(""), REQUEST), true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'model':'gpt-5.4'}",
        "{'model':'gpt-5.4','choices':null}",
        "[]",
        "data: {}\n\n",
        ""
      })
  void thatIsMalformedIsAskedAgain(String body) throws Exception {
    service.answers(body.replace('\'', '"'));
    unavailable(ask(provider(""), REQUEST), true);
  }

  @Test
  void thatFailsIsAskedAgain() throws Exception {
    service.answers(
        _ ->
            Said.status(
                429,
                "{\"error\":{\"message\":\"Rate limit reached\",\"type\":\"requests\","
                    + "\"param\":null,\"code\":\"rate_limit_exceeded\"}}"));
    assertThat(unavailable(ask(provider(""), REQUEST), true))
        .isEqualTo("the model cannot be asked: it answered with the status 429");
    service.saysNothing();
    assertThat(unavailable(ask(provider("", Duration.ofMillis(200)), REQUEST), true))
        .contains("did not answer within 200ms");
  }

  @ParameterizedTest
  @MethodSource("dev.heldcall.witness.peer.CallFrameTest#corpus")
  void isShownNothingButDataInTheRequestThatLeaves(String text) throws Exception {
    decides("undecided");
    ObjectNode args = (ObjectNode) json("{}");
    args.put("memo", text).putArray("list").add(text).addObject().put(text, text);
    WitnessRequest request = asking(args.toString().replace("'", "\\u0027"));
    deferred(ask(provider(""), request));
    Counterpart.Asked asked = service.last();
    assertThat(asked.json().path("messages")).hasSize(2);
    assertThat(asked.json().path("messages").get(0).path("content").asText())
        .isEqualTo(PeerPrompt.of("At most 2000 EUR.").text());
    assertThat(framed(asked).path("call").path("args")).isEqualTo(args);
    String frame = asked.json().path("messages").get(1).path("content").asText();
    assertThat(frame.split("<<<", -1)).hasSize(3);
    assertThat(frame.split(">>>", -1)).hasSize(3);
    assertThat(frame).matches("[ -~\\n]*");
  }

  @Test
  void isShownEachCallInAFrameOfItsOwn() throws Exception {
    decides("undecided");
    WitnessProvider provider = provider("");
    deferred(ask(provider, REQUEST));
    deferred(ask(provider, REQUEST));
    List<String> marks =
        service.asked().stream()
            .map(asked -> asked.json().path("messages").get(1).path("content").asText())
            .map(frame -> frame.lines().toList().getLast())
            .toList();
    assertThat(marks).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void judgesOnlyWhatIsShownInWhole() throws Exception {
    decides("approve");
    assertThat(deferred(ask(provider(""), digestOnly()))).contains("not disclosed");
    WitnessRequest partly = hiding("{'to':'x','memo':'…'}", "/memo");
    assertThat(deferred(ask(provider(""), partly)))
        .isEqualTo("the arguments are not disclosed to it: all of them");
    attested(ask(provider("'needs':['/to']"), partly), partly, APPROVE);
    WitnessRequest large = asking("{'memo':'" + "x".repeat(2000) + "'}");
    assertThat(deferred(ask(provider("'max-call':2000"), large))).contains("max-call");
    assertThat(service.asked()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model-family':'family-a'|model-family|identity, which must have one",
        "'model-family':null|model-family|a text",
        "'model':''|model|a text",
        "'criteria':null|criteria|a text",
        "'url':'chat'|url|an absolute http or https URL",
        "'max-tokens':8193|max-tokens|from 64 to 8192",
        "'tokens-field':'tokens'|tokens-field|one of max_completion_tokens, max_tokens",
        "'answered-by':'a','answered-by-prefix':'b'|answered-by-prefix|only one of",
        "'temperature':1|temperature|one of the keys"
      })
  void aMistakeIsNamed(String change, String path, String expected) {
    InvalidProviderSettings mistake =
        catchThrowableOfType(
            InvalidProviderSettings.class,
            () -> new PeerSettingsReader(contract("peer-model"), settings(change)).read());
    assertThat(mistake).isNotNull();
    assertThat(mistake.path()).isEqualTo(path);
    assertThat(mistake.expected()).contains(expected);
  }
}
