package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProposeTest {

  private static final String MINIMAL =
      """
      {"session_id":"s-1","turn_id":"t-1","call_id":"c-1","tool":"money_transfer",
       "args":{"to":"acct-2","amount_minor":125000}}
      """;

  private TestGateway gateway;

  @BeforeAll
  void start() throws Exception {
    gateway = new TestGateway();
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @BeforeEach
  void reset() {
    gateway.kernel.reset();
  }

  private Got propose(String body) throws Exception {
    return gateway.post("/tool-calls", "dev-agent", body);
  }

  @Test
  void a_held_call_answers_202_with_the_contract_and_what_witnesses_are_asked() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(202);
    assertThat(got.header("location")).isEqualTo("/held/" + SampleCall.HELD_ID);
    assertThat(got.header("retry-after")).isEqualTo("5");
    assertThat(got.header("etag")).isEqualTo("\"4\"");
    assertThat(got.header("content-type")).isEqualTo("application/json");
    JsonNode json = got.json();
    assertThat(json.path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
    assertThat(json.path("verdict").asText()).isEqualTo("REQUIRE_WITNESS");
    assertThat(json.path("generation").asInt()).isEqualTo(1);
    assertThat(json.path("expires_at").asText()).isEqualTo("2030-01-31T12:10:00.123Z");
    assertThat(json.path("contract").path("rule").asText()).isEqualTo("human");
    JsonNode request = json.path("witness_request");
    assertThat(request.path("contract_digest")).isEqualTo(json.path("contract").path("digest"));
    assertThat(request.path("call_digest")).isEqualTo(json.path("call_digest"));
    assertThat(request.path("routes").toString())
        .isEqualTo("[{\"class\":\"human\",\"route\":\"inbox\",\"state\":\"requested\"}]");
    assertThat(request.path("presentation").path("args").path("amount_minor").asLong())
        .isEqualTo(125_000);
    assertThat(request.path("presentation").path("disclosure").asText()).isEqualTo("full");
    assertThat(json.path("phase").asText()).isEqualTo("HELD");
    assertThat(json.path("explain").get(0).asText()).startsWith("waiting for: human (0 of 1)");
  }

  @Test
  void an_allowed_call_that_waits_has_no_contract_and_no_witness_request() throws Exception {
    gateway.kernel.succeeds(
        "propose",
        SampleCall.held().verdict(VerdictKind.ALLOW).leased(LeaseState.DISPATCHED).view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(202);
    assertThat(got.header("retry-after")).isEqualTo("1");
    assertThat(got.json().path("verdict").asText()).isEqualTo("ALLOW");
    assertThat(got.json().path("contract").isNull()).isTrue();
    assertThat(got.json().path("witness_request").isNull()).isTrue();
    assertThat(got.json().path("execution").asText()).isEqualTo("leased");
  }

  @Test
  void a_completed_call_answers_200_with_its_result() throws Exception {
    gateway.kernel.succeeds(
        "propose",
        SampleCall.held()
            .verdict(VerdictKind.ALLOW)
            .succeeded(JsonNodeFactory.instance.objectNode().put("id", "tr-1"))
            .view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("verdict").asText()).isEqualTo("ALLOW");
    assertThat(got.json().path("transforms").isArray()).isTrue();
    assertThat(got.json().path("result").path("outcome").asText()).isEqualTo("succeeded");
    assertThat(got.json().path("result").path("content").path("id").asText()).isEqualTo("tr-1");
    assertThat(got.json().path("delivery_id").asText()).isEqualTo(SampleCall.HELD_ID + ".1");
  }

  @Test
  void a_quarantined_result_has_reasons_and_no_content() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().quarantined().view());

    JsonNode result = propose(MINIMAL).json().path("result");

    assertThat(result.path("admission").asText()).isEqualTo("quarantined");
    assertThat(result.has("content")).isFalse();
    assertThat(result.path("reasons").get(0).asText()).isEqualTo("breaks the result schema");
  }

  @Test
  void a_call_that_policy_denies_answers_403_with_verdict_and_reasons() throws Exception {
    gateway.kernel.succeeds(
        "propose",
        SampleCall.held().verdict(VerdictKind.DENY).ended(Lifecycle.DENIED, "policy", "no").view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(403);
    assertThat(got.header("content-type")).isEqualTo("application/problem+json");
    assertThat(got.slug()).isEqualTo("denied");
    assertThat(got.json().path("verdict").asText()).isEqualTo("DENY");
    assertThat(got.json().path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
    assertThat(got.json().path("reasons").get(0).path("rule").asText()).isEqualTo("transfer-large");
    assertThat(got.json().path("reasons").get(0).path("layer").asText()).isEqualTo("floor");
    assertThat(got.json().path("refusal").path("executed").asBoolean(true)).isFalse();
  }

  @Test
  void a_call_that_nobody_decided_answers_403_indeterminate() throws Exception {
    gateway.kernel.succeeds(
        "propose",
        SampleCall.held()
            .verdict(VerdictKind.INDETERMINATE)
            .ended(Lifecycle.DENIED, "policy", null)
            .view());

    assertThat(propose(MINIMAL).json().path("verdict").asText()).isEqualTo("INDETERMINATE");
  }

  @Test
  void a_call_that_a_witness_denied_answers_403_with_the_words_of_the_witness() throws Exception {
    gateway.kernel.succeeds(
        "propose",
        SampleCall.held().ended(Lifecycle.DENIED, "bob", "the invoice is forged").view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(403);
    assertThat(got.json().path("reasons").get(0).path("message").asText())
        .isEqualTo("the invoice is forged");
    assertThat(got.json().path("refusal").path("by").asText()).isEqualTo("bob");
  }

  @ParameterizedTest
  @CsvSource({"CANCELLED, cancelled", "EXPIRED, expired"})
  void a_call_that_ended_otherwise_answers_200_with_the_refusal(Lifecycle lifecycle, String kind)
      throws Exception {
    gateway.kernel.succeeds(
        "propose", SampleCall.held().ended(lifecycle, "agent-1", "not needed").view());

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("result").isNull()).isTrue();
    assertThat(got.json().path("refusal").path("kind").asText()).isEqualTo(kind);
    assertThat(got.json().path("refusal").path("reason").asText()).isEqualTo("not needed");
    assertThat(got.json().path("refusal").path("executed").asBoolean(true)).isFalse();
    assertThat(got.json().path("verdict").asText()).isEqualTo("REQUIRE_WITNESS");
  }

  @Test
  void everything_a_proposal_can_say_reaches_the_kernel() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().view());
    String other = "hc_" + "a".repeat(52);

    Got got =
        gateway.send(
            gateway
                .request("/tool-calls", "dev-agent")
                .header("Content-Type", "application/json; charset=UTF-8")
                .header("Idempotency-Key", "k-1")
                .POST(
                    java.net.http.HttpRequest.BodyPublishers.ofString(
                        """
                        {"session_id":"s","turn_id":"t","call_id":"c","boundary":"plan",
                         "tool":"gate","args":{"n":1.0},"continuation_ref":"x",
                         "depends_on":["%s"],"parent_held_id":null,
                         "preferences":{"wait_ms":7,"timeout_s":600,"on_disconnect":"cancel",
                          "require":"human & ci","route":["team"],"transform":"forbid",
                          "disclosure":"digest","resume":"webhook"}}
                        """
                            .formatted(other)))
                .build());

    assertThat(got.status()).isEqualTo(202);
    var asked = gateway.kernel.only("propose");
    assertThat(asked.argument(0, Principal.class).id()).isEqualTo("agent-1");
    Proposal proposal = asked.argument(1, Proposal.class);
    assertThat(proposal.args().toString()).isEqualTo("{\"n\":1}");
    assertThat(proposal.dependsOn()).containsExactly(other);
    assertThat(proposal.preferences())
        .isEqualTo(
            new Preferences(
                600L,
                Preferences.OnDisconnect.CANCEL,
                "human & ci",
                List.of("team"),
                Preferences.TransformPosture.FORBID,
                Disclosure.DIGEST,
                Preferences.Resume.WEBHOOK));
    assertThat(asked.argument(2)).isEqualTo(Duration.ofMillis(7));
    assertThat(asked.argument(3)).isEqualTo("k-1");
  }

  @ParameterizedTest
  @CsvSource({
    "UNKNOWN_TOOL, 404, unknown-tool",
    "ARGS_SCHEMA, 422, args-schema",
    "DEPENDENCY_CYCLE, 422, dependency-cycle",
    "DEPENDENCY_DEPTH, 422, dependency-depth",
    "UNKNOWN_DEPENDENCY, 422, unknown-dependency",
    "CALL_IDENTITY_CONFLICT, 409, call-identity-conflict",
    "IDEMPOTENCY_KEY_REUSE, 422, idempotency-key-reuse",
    "TOO_MANY_CALLS, 429, too-many-calls",
    "UNAVAILABLE, 503, unavailable"
  })
  void a_refusal_of_the_kernel_has_its_status_and_slug(Problem problem, int status, String slug)
      throws Exception {
    gateway.kernel.refuses(
        "propose",
        new Rejection(
            problem, "why", List.of(new Rejection.FieldError("/args/to", "expected it")), null));

    Got got = propose(MINIMAL);

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.slug()).isEqualTo(slug);
    assertThat(got.json().path("status").asInt()).isEqualTo(status);
    assertThat(got.json().path("detail").asText()).isEqualTo("why");
    assertThat(got.json().path("errors").get(0).path("pointer").asText()).isEqualTo("/args/to");
    assertThat(got.header("retry-after").isEmpty()).isEqualTo(status != 429 && status != 503);
  }

  @Test
  void only_agents_propose() throws Exception {
    Got got = gateway.post("/tool-calls", "dev-alice", MINIMAL);

    assertThat(got.status()).isEqualTo(403);
    assertThat(got.slug()).isEqualTo("forbidden");
    assertThat(gateway.kernel.untouched()).isTrue();
  }
}
