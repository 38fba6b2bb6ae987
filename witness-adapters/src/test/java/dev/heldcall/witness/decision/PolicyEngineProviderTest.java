package dev.heldcall.witness.decision;

import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.attested;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.deferred;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.evidence;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Said;
import dev.heldcall.witness.FactRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against a server that answers as OPA's documentation shows its own to (REST API, "Get a Document
 * (with Input)", "Provenance", "Errors"), and against one of our own form.
 */
class PolicyEngineProviderTest {

  private static final WitnessRequest REQUEST = asking("{'to':'acct-2','amount_minor':125000}");

  private final Counterpart service = Counterpart.start();
  private final List<WitnessProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(WitnessProvider::close);
    service.close();
  }

  private WitnessProvider provider(String settings, Duration timeout) throws Exception {
    ObjectNode all = (ObjectNode) json("{" + settings + "}");
    if (!all.has("url")) {
      all.put("url", service.url());
    }
    WitnessProvider provider =
        new PolicyEngineType().create(contract("policy-engine", timeout), all, services());
    opened.add(provider);
    return provider;
  }

  private WitnessProvider provider(String settings) throws Exception {
    return provider(settings, Duration.ofSeconds(10));
  }

  @Nested
  class Opa {

    private WitnessProvider opa() throws Exception {
      return provider("'path':'opa/examples/allow_request','token':'t0ken'");
    }

    @Test
    void isAskedByItsDataApi() throws Exception {
      service.answers("{\n  \"result\": true\n}");
      attested(ask(opa(), REQUEST), REQUEST, APPROVE);
      Counterpart.Asked asked = service.last();
      assertThat(asked.method()).isEqualTo("POST");
      assertThat(asked.uri())
          .isEqualTo(
              "/v1/data/opa/examples/allow_request?provenance=true&strict-builtin-errors=true");
      assertThat(asked.headers())
          .containsEntry("content-type", "application/json")
          .containsEntry("authorization", "Bearer t0ken")
          .containsEntry("idempotency-key", REQUEST.requestId());
      assertThat(asked.json().properties()).hasSize(1);
      JsonNode input = asked.json().path("input");
      assertThat(input.path("call").path("tool").asText()).isEqualTo("money_transfer");
      assertThat(input.path("call").path("args")).isEqualTo(REQUEST.args());
      assertThat(input.path("call").path("proposer").path("id").asText()).isEqualTo("agent-1");
      assertThat(input.path("bindings"))
          .isEqualTo(
              json(
                  "{'request_id':'hc_test.1.facts','held_id':'hc_test','generation':1,"
                      + "'call_digest':'"
                      + FactRequests.CALL
                      + "','contract_digest':'sha256:"
                      + "d".repeat(64)
                      + "','witness_class':'facts'}"));
    }

    @Test
    void saysUndefinedByLeavingTheResultOut() throws Exception {
      service.answers("{}");
      assertThat(deferred(ask(opa(), REQUEST))).contains("no result for this call (undefined)");
      service.answers("{\"decision_id\":\"b84cf736-213c-4932-a8e4-bb5c648f1b4d\"}");
      assertThat(deferred(ask(opa(), REQUEST))).contains("undefined");
    }

    @Test
    void deniesWithItsReasons() throws Exception {
      service.answers("{\"result\": false}");
      attested(ask(opa(), REQUEST), REQUEST, DENY);
      service.answers(
          "{\"result\":{\"allow\":false,\"reasons\":[\"too much\",\"\u202ewho\\nis it\"]}}");
      assertThat(attested(ask(opa(), REQUEST), REQUEST, DENY).reason())
          .isEqualTo("too much;  who is it");
    }

    @Test
    void isRecordedWithItsDecisionAndItsBundles() throws Exception {
      service.answers(
          """
          {
            "decision_id": "4ca636c1-55e4-417a-b1d8-4aceb67960d1",
            "provenance": {
              "build_commit": "1955fc4d",
              "build_host": "foo.com",
              "build_timestamp": "2019-04-29T23:42:04Z",
              "bundles": {
                "authz": {
                  "revision": "ID-b1298a6c-6ad8-11e9-a26f-d38b5ceadad5"
                }
              },
              "version": "0.10.8-dev"
            },
            "result": {"allow": true, "reason": "within the limit"}
          }
          """);
      Attestation attestation = attested(ask(opa(), REQUEST), REQUEST, APPROVE);
      assertThat(attestation.reason()).isEqualTo("within the limit");
      JsonNode evidence = evidence(attestation);
      assertThat(evidence.path("policy").asText()).isEqualTo("opa/examples/allow_request");
      assertThat(evidence.path("decision_id").asText())
          .isEqualTo("4ca636c1-55e4-417a-b1d8-4aceb67960d1");
      assertThat(evidence.path("provenance"))
          .isEqualTo(
              json(
                  "{'version':'0.10.8-dev','bundles':{'authz':"
                      + "'ID-b1298a6c-6ad8-11e9-a26f-d38b5ceadad5'}}"));
      assertThat(evidence.path("digest").asText()).startsWith("sha256:");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{'result':'true'}", "{'result':1}", "{'result':null}", "{'result':[true]}",
          "{'result':{'allow':'yes'}}", "{'result':{'allow':null}}", "[{'result':true}]", "true",
          "{'result':true}{'result':true}", "{'result':false,'result':true}", "{'result':tru", ""
        })
    void isNotUnderstoodOtherwise(String body) throws Exception {
      service.answers(body.replace('\'', '"'));
      unavailable(ask(opa(), REQUEST), true);
    }

    @Test
    void withoutAnAllowCannotTell() throws Exception {
      service.answers("{\"result\":{}}"); // what a package gives whose rules are all undefined
      assertThat(deferred(ask(opa(), REQUEST))).contains("no 'allow'");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "400|{'code':'invalid_parameter','message':'error(s) occurred'}",
          "401|{'code':'unauthorized','message':'request rejected by administrative policy'}",
          "500|{'code':'internal_error','message':'eval_builtin_error: secret-thing'}",
          "503|",
          "204|",
          "302|"
        })
    void withAnErrorIsAskedAgain(int status, String body) throws Exception {
      service.answers(
          _ ->
              new Said(
                  status,
                  Map.of("Location", service.url() + "/elsewhere"),
                  body == null ? "" : body.replace('\'', '"')));
      assertThat(unavailable(ask(opa(), REQUEST), true))
          .isEqualTo("the policy engine cannot be asked: it answered with the status " + status);
      assertThat(service.asked()).hasSize(1);
    }

    @Test
    void thatAnswersForAnotherCallIsNotHeard() throws Exception {
      WitnessProvider echoing = provider("'path':'a/b','echo':'/call_digest'");
      service.answers(
          asked ->
              Said.json(
                  "{\"result\":{\"allow\":true,\"call_digest\":"
                      + asked.json().path("input").path("bindings").path("call_digest")
                      + "}}"));
      attested(ask(echoing, REQUEST), REQUEST, APPROVE);
      service.answers(
          "{\"result\":{\"allow\":true,\"call_digest\":\"sha256:" + "0".repeat(64) + "\"}}");
      assertThat(unavailable(ask(echoing, REQUEST), true)).contains("not for this call");
      service.answers("{\"result\":true}");
      assertThat(unavailable(ask(echoing, REQUEST), true)).contains("not for this call");
    }
  }

  @Nested
  class JsonService {

    private static final String SETTINGS =
        "'protocol':'json','result':'/outcome/decision','approve':['permit'],'deny':['forbid'],"
            + "'defer':['escalate'],'reason':'/outcome/why','decision-id':'/id',"
            + "'echo':'/call_digest'";

    private void says(String decision) {
      service.answers(
          asked ->
              Said.json(
                  "{\"id\":\"d-7\",\"outcome\":{\"decision\":"
                      + decision
                      + ",\"why\":\"rule 4\"},\"call_digest\":"
                      + asked.json().path("bindings").path("call_digest")
                      + "}"));
    }

    @Test
    void decides() throws Exception {
      WitnessProvider provider = provider(SETTINGS + ",'name':'limits'");
      says("\"permit\"");
      Attestation attestation = attested(ask(provider, REQUEST), REQUEST, APPROVE);
      assertThat(attestation.reason()).isEqualTo("rule 4");
      assertThat(evidence(attestation).path("decision_id").asText()).isEqualTo("d-7");
      assertThat(evidence(attestation).path("policy").asText()).isEqualTo("limits");
      assertThat(service.last().json().path("call").path("args")).isEqualTo(REQUEST.args());
      says("\"forbid\"");
      attested(ask(provider, REQUEST), REQUEST, DENY);
      says("\"escalate\"");
      assertThat(deferred(ask(provider, REQUEST))).isEqualTo("the service cannot tell: rule 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "\"Permit\"", "null", "[\"permit\"]", "{}", "1"})
    void isNotUnderstoodBeyondItsWords(String decision) throws Exception {
      says(decision);
      unavailable(ask(provider(SETTINGS), REQUEST), true);
    }

    @Test
    void mustRepeatTheCallsDigest() throws Exception {
      service.answers("{\"outcome\":{\"decision\":\"permit\"},\"call_digest\":\"sha256:0\"}");
      assertThat(unavailable(ask(provider(SETTINGS), REQUEST), true)).contains("not for this call");
      service.answers("{\"outcome\":{\"decision\":\"permit\"}}");
      unavailable(ask(provider(SETTINGS), REQUEST), true);
    }
  }

  @Nested
  class Bounds {

    private static final String OPA = "'path':'a/b'";

    @Test
    void oneThatSaysNothingIsNotWaitedFor() throws Exception {
      service.saysNothing();
      WitnessProvider provider = provider(OPA + ",'max-at-once':1", Duration.ofMillis(200));
      assertThat(unavailable(ask(provider, REQUEST), true))
          .isEqualTo("the policy engine cannot be asked: it did not answer within 200ms");
      // Its place is free again.
      assertThat(unavailable(ask(provider, REQUEST), true)).contains("did not answer");
    }

    @Test
    void onlySoManyAreAskedAtOnce() throws Exception {
      service.saysNothing();
      WitnessProvider provider = provider(OPA + ",'max-at-once':1");
      var first = provider.ask(REQUEST).toCompletableFuture();
      Awaitility.await().until(() -> service.asked().size() == 1);
      assertThat(unavailable(ask(provider, REQUEST), true)).contains("max-at-once");
      assertThat(first).isNotDone();
    }

    @Test
    void anAnswerOfAnySizeIsNotRead() throws Exception {
      service.answers("{\"result\":true,\"x\":\"" + "x".repeat(300_000) + "\"}");
      assertThat(unavailable(ask(provider(OPA), REQUEST), true))
          .contains("over 262144 bytes (max-answer)");
    }

    @Test
    void oneThatIsDownIsAskedAgain() throws Exception {
      WitnessProvider provider = provider(OPA);
      service.close();
      assertThat(unavailable(ask(provider, REQUEST), true)).contains("cannot be connected to");
    }
  }

  @Nested
  class Disclosed {

    @Test
    void inWholeUnlessLessIsNeeded() throws Exception {
      service.answers("{\"result\":true}");
      WitnessProvider whole = provider("'path':'a/b'");
      assertThat(deferred(ask(whole, digestOnly())))
          .isEqualTo("the arguments are not disclosed to it: all of them");
      WitnessRequest partly = hiding("{'to':'acct-2','memo':'…'}", "/memo");
      assertThat(deferred(ask(whole, partly))).contains("not disclosed");
      assertThat(service.asked()).isEmpty();

      WitnessProvider part = provider("'path':'a/b','needs':['/to']");
      attested(ask(part, partly), partly, APPROVE);
      assertThat(service.last().json().path("input").path("call").path("left_out"))
          .isEqualTo(json("['/memo']"));
      assertThat(deferred(ask(provider("'path':'a/b','needs':['/memo']"), partly)))
          .isEqualTo("the arguments are not disclosed to it: /memo");
      WitnessRequest digest = digestOnly();
      attested(ask(provider("'path':'a/b','needs':[]"), digest), digest, APPROVE);
      assertThat(service.last().json().path("input").path("call").path("args").isNull()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'protocol':'grpc'}|protocol|one of opa, json",
        "{'url':'ftp://x'}|url|an absolute http or https URL",
        "{'url':'http://u:p@x'}|url|without user",
        "{'url':'http://x/?a=b'}|url|without user, query",
        "{'path':'../x'}|path|a path of packages",
        "{'path':'a b'}|path|a path of packages",
        "{'path':null}|path|a text",
        "{'echo':'call_digest'}|echo|a JSON Pointer",
        "{'needs':['to']}|needs|a JSON Pointer",
        "{'max-at-once':0}|max-at-once|from 1 to 256",
        "{'token':'a','token-env':'PATH'}|token-env|only one of",
        "{'token-env':'HELDCALL_NO_SUCH_VARIABLE'}|token-env|that is set",
        "{'protocol':'json'}|result|a text",
        "{'protocol':'json','result':'/x','approve':['a'],'deny':['a']}|approve|neither deny",
        "{'protocol':'json','result':'/x','approve':[1]}|approve|a list of texts",
        "{'protocol':'json','result':'/x'}|path|one of the keys",
        "{'paht':'x'}|paht|one of the keys"
      })
  void aMistakeIsNamed(String change, String path, String expected) {
    ObjectNode settings = (ObjectNode) json("{'url':'http://127.0.0.1:8181','path':'a/b'}");
    settings.setAll((ObjectNode) json(change));
    InvalidProviderSettings mistake =
        catchThrowableOfType(
            InvalidProviderSettings.class, () -> new PolicyEngineSettingsReader(settings).read());
    assertThat(mistake).isNotNull();
    assertThat(mistake.path()).isEqualTo(path);
    assertThat(mistake.expected()).contains(expected);
  }
}
