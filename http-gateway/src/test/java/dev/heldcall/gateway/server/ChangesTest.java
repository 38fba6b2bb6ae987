package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.LeaseGrant;
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
}
