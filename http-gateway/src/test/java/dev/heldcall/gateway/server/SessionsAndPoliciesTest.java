package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.DeliveryItem;
import dev.heldcall.kernel.api.PolicyState;
import dev.heldcall.kernel.api.SessionView;
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
class SessionsAndPoliciesTest {

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
