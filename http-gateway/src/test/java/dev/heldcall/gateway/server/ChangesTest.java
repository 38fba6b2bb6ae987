package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.DeliveryItem;
import dev.heldcall.kernel.api.LeaseGrant;
import dev.heldcall.kernel.api.PolicyState;
import dev.heldcall.kernel.api.SessionView;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import java.net.http.HttpRequest.BodyPublishers;
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
class ChangesTest {

  private static final String HELD = "/held/" + SampleCall.HELD_ID;

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

  private Got postNothing(String path, String token) throws Exception {
    return gateway.send(gateway.request(path, token).POST(BodyPublishers.noBody()).build());
  }

  @Test
  void a_cancelled_call_says_so() throws Exception {
    gateway.kernel.succeeds(
        "cancel", SampleCall.held().ended(Lifecycle.CANCELLED, "agent-1", null).view());

    Got got = gateway.post(HELD + "/cancel", "dev-agent", "{\"reason\":\"not needed\"}");

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.text())
        .isEqualTo("{\"held_id\":\"" + SampleCall.HELD_ID + "\",\"lifecycle\":\"cancelled\"}");
    assertThat(gateway.kernel.only("cancel").argument(2)).isEqualTo("not needed");
    assertThat(postNothing(HELD + "/cancel", "dev-agent").status()).isEqualTo(200);
  }

  @Test
  void a_dispatched_call_cannot_be_cancelled_and_says_how_far_it_is() throws Exception {
    gateway.kernel.refuses(
        "cancel",
        new Rejection(Problem.EFFECT_DISPATCHED, "too late", List.of(), Execution.LEASED));

    Got got = postNothing(HELD + "/cancel", "dev-agent");

    assertThat(got.status()).isEqualTo(409);
    assertThat(got.slug()).isEqualTo("effect-dispatched");
    assertThat(got.json().path("execution").asText()).isEqualTo("leased");
    assertThat(got.json().path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
  }

  @ParameterizedTest
  @CsvSource({"DENIED", "EXPIRED"})
  void a_call_that_ended_otherwise_is_not_open(Lifecycle lifecycle) throws Exception {
    gateway.kernel.succeeds("cancel", SampleCall.held().ended(lifecycle, "policy", null).view());

    Got got = postNothing(HELD + "/cancel", "dev-agent");

    assertThat(got.status()).isEqualTo(409);
    assertThat(got.slug()).isEqualTo("not-open");
  }

  @Test
  void an_edit_is_answered_as_a_proposal() throws Exception {
    gateway.kernel.succeeds("edit", SampleCall.held().view());

    Got got = gateway.post(HELD + "/edit", "dev-agent", "{\"generation\":1,\"args\":{\"n\":1e2}}");

    assertThat(got.status()).isEqualTo(202);
    assertThat(got.json().path("witness_request").isObject()).isTrue();
    var asked = gateway.kernel.only("edit");
    assertThat(asked.argument(2)).isEqualTo(1);
    assertThat(asked.argument(3)).isNull();
    assertThat(String.valueOf(asked.argument(4))).isEqualTo("{\"n\":100}");
    assertThat(asked.argument(5)).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "edit | {\"generation\":1}",
        "edit | {\"args\":{}}",
        "edit | {\"generation\":1,\"args\":[]}",
        "lease | {}",
        "lease | {\"generation\":1,\"worker\":7}",
        "outcome | {\"lease_id\":\"l\",\"outcome\":\"ok\"}",
        "outcome | {\"outcome\":\"failed\"}",
        "resolution | {\"outcome\":\"effect\"}",
        "resolution | {\"outcome\":\"effects\",\"evidence\":{}}",
        "resolution | {\"outcome\":\"no-effect\",\"content\":1,\"evidence\":{}}",
        "cancel | {\"reason\":1}",
        "cancel | []"
      })
  void a_body_that_breaks_the_contract_is_refused(String action, String body) throws Exception {
    Got got = gateway.post(HELD + "/" + action, "dev-operator", body);

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.slug()).isEqualTo("invalid-field");
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "edit, STALE, 409",
    "edit, EFFECT_DISPATCHED, 409",
    "lease, NOT_READY, 409",
    "lease, LEASED, 409",
    "outcome, LEASE_LOST, 409",
    "resolve, NOT_UNKNOWN, 409",
    "resolve, TOO_EARLY, 409",
    "resolve, RESOLUTION_CONFLICT, 409",
    "resolve, FORBIDDEN, 403"
  })
  void refusals_have_their_status(String method, Problem problem, int status) throws Exception {
    gateway.kernel.refuses(method, problem);
    String body =
        switch (method) {
          case "edit" -> "{\"generation\":1,\"tool\":\"x\"}";
          case "lease" -> "{\"generation\":1}";
          case "outcome" -> "{\"lease_id\":\"l\",\"outcome\":\"failed\",\"content\":{}}";
          case "resolve" -> "{\"outcome\":\"no-effect\",\"evidence\":{\"ticket\":1}}";
          default -> throw new AssertionError(method);
        };
    String action = method.equals("resolve") ? "resolution" : method;

    Got got = gateway.post(HELD + "/" + action, "dev-operator", body);

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.slug()).isEqualTo(problem.wireName());
  }

  @Test
  void a_lease_comes_with_its_permit() throws Exception {
    gateway.kernel.succeeds("lease", new LeaseGrant(SampleCall.held().lease(), "a.b.c"));

    Got got =
        gateway.send(
            gateway
                .request(HELD + "/lease", "dev-agent")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k")
                .POST(BodyPublishers.ofString("{\"generation\":1,\"worker\":\"w-1\"}"))
                .build());

    assertThat(got.status()).isEqualTo(200);
    JsonNode json = got.json();
    assertThat(json.path("lease_id").asText()).isEqualTo("l-1");
    assertThat(json.path("fencing_token").asText()).isEqualTo("1.1");
    assertThat(json.path("idempotency_key").asText()).isEqualTo(SampleCall.HELD_ID + ".1");
    assertThat(json.path("permit").asText()).isEqualTo("a.b.c");
    assertThat(json.path("deadline").asText()).isEqualTo("2030-01-31T12:00:30.123Z");
    assertThat(gateway.kernel.only("lease").arguments().subList(2, 5))
        .containsExactly(1, "w-1", "k");
  }

  @Test
  void an_outcome_is_recorded_without_showing_it() throws Exception {
    gateway.kernel.succeeds(
        "outcome",
        SampleCall.held().succeeded(JsonNodeFactory.instance.objectNode().put("secret", 1)).view());

    Got got =
        gateway.post(
            HELD + "/outcome",
            "dev-agent",
            "{\"lease_id\":\"l-1\",\"outcome\":\"succeeded\",\"content\":[1.0]}");

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("execution").asText()).isEqualTo("effect-recorded");
    assertThat(got.text()).doesNotContain("secret");
    var asked = gateway.kernel.only("outcome");
    assertThat(asked.argument(3)).isEqualTo(true);
    assertThat(String.valueOf(asked.argument(4))).isEqualTo("[1]");
  }

  @Test
  void a_resolution_answers_what_is_on_record() throws Exception {
    gateway.kernel.succeeds(
        "resolve",
        SampleCall.held()
            .leased(LeaseState.NO_EFFECT)
            .ended(Lifecycle.CANCELLED, "operator", null)
            .view());

    Got got =
        gateway.post(
            HELD + "/resolution",
            "dev-operator",
            "{\"outcome\":\"no-effect\",\"evidence\":{\"ticket\":1}}");

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("lifecycle").asText()).isEqualTo("cancelled");
    assertThat(gateway.kernel.only("resolve").argument(2)).isEqualTo(false);
    assertThat(gateway.kernel.only("resolve").argument(3)).isNull();
  }

  @Test
  void a_session_shows_its_calls() throws Exception {
    gateway.kernel.succeeds(
        "session",
        new SessionView(
            "s/1", List.of(JsonNodeFactory.instance.objectNode().put("runnable", true)), true));

    Got got = gateway.get("/sessions/s%2F1", "dev-agent");

    assertThat(got.json().path("agent_paused").asBoolean()).isTrue();
    assertThat(got.json().path("calls").get(0).path("runnable").asBoolean()).isTrue();
    assertThat(gateway.kernel.only("session").argument(1)).isEqualTo("s/1");
  }

  @Test
  void deliveries_have_their_place_and_their_content() throws Exception {
    gateway.kernel.succeeds(
        "deliveries",
        List.of(
            new DeliveryItem(
                7,
                true,
                JsonNodeFactory.instance
                    .objectNode()
                    .put("delivery_id", "d.1")
                    .put("kind", "result"))));

    Got got = gateway.get("/sessions/s-1/deliveries?after=6&wait_ms=10&limit=3", "dev-agent");

    assertThat(got.text())
        .isEqualTo(
            "{\"items\":[{\"seq\":7,\"delivery_id\":\"d.1\",\"kind\":\"result\","
                + "\"acknowledged\":true}]}");
    assertThat(gateway.kernel.only("deliveries").arguments().subList(1, 5))
        .containsExactly("s-1", 6L, Duration.ofMillis(10), 3);
  }

  @ParameterizedTest
  @CsvSource({"after=-1", "limit=501", "limit=0", "wait_ms=60001", "since=1"})
  void deliveries_are_asked_strictly(String query) throws Exception {
    assertThat(gateway.get("/sessions/s-1/deliveries?" + query, "dev-agent").status())
        .isEqualTo(422);
  }

  @Test
  void an_acknowledgement_needs_no_body() throws Exception {
    gateway.kernel.succeeds("acknowledge", SampleCall.held().view());

    Got got = postNothing("/sessions/s-1/deliveries/d.1/ack", "dev-agent");

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("acknowledged").asBoolean()).isTrue();
    assertThat(gateway.kernel.only("acknowledge").argument(2)).isEqualTo("d.1");
    assertThat(gateway.post("/sessions/s-1/deliveries/d.1/ack", "dev-agent", "{\"x\":1}").slug())
        .isEqualTo("unknown-field");
  }

  @Test
  void a_policy_is_read_by_its_owners_and_operators() throws Exception {
    var empty = JsonNodeFactory.instance.objectNode();
    gateway.kernel.succeeds("policy", new PolicyState(3, SampleCall.ZERO, empty, empty));

    Got got = gateway.get("/policies/acme", "dev-policy");

    assertThat(got.json().path("epoch").asLong()).isEqualTo(3);
    assertThat(got.json().path("policy_version").asText()).isEqualTo(SampleCall.ZERO.value());
    assertThat(got.json().path("floor").isObject()).isTrue();
    assertThat(gateway.get("/policies/acme", "dev-operator").status()).isEqualTo(200);
    assertThat(gateway.get("/policies/acme", "dev-agent").status()).isEqualTo(403);
  }

  @Test
  void a_policy_change_is_answered_as_a_proposal() throws Exception {
    gateway.kernel.succeeds("proposePolicy", SampleCall.held().view());
    String body = "{\"call_id\":\"p-1\",\"base_epoch\":3,\"document\":{\"rules\":[]}}";

    assertThat(gateway.post("/policies/acme", "dev-policy", body).status()).isEqualTo(202);
    assertThat(gateway.kernel.only("proposePolicy").arguments().subList(1, 4))
        .containsExactly("acme", "p-1", 3L);
    assertThat(gateway.post("/policies/acme", "dev-operator", body).status()).isEqualTo(403);
    assertThat(gateway.post("/policies/acme", "dev-policy", "{}").json().path("errors")).hasSize(3);
    gateway.kernel.refuses(
        "proposePolicy",
        new Rejection(
            Problem.POLICY_DOCUMENT,
            "no",
            List.of(new Rejection.FieldError("/document/rules/0", "no id")),
            null));
    Got refused = gateway.post("/policies/acme", "dev-policy", body);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.slug()).isEqualTo("policy-document");
    assertThat(refused.json().path("errors").get(0).path("message").asText()).isEqualTo("no id");
  }
}
