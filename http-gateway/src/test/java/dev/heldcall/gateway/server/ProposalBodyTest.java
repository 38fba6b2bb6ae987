package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.gateway.server.TestGateway.Got;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProposalBodyTest {

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"extra\":1 | unknown-field | /extra",
        "\"preferences\":{\"wait\":1} | unknown-field | /preferences/wait",
        "\"boundary\":\"tol\" | invalid-field | /boundary",
        "\"depends_on\":\"x\" | invalid-field | /depends_on",
        "\"depends_on\":[\"hc_nope\"] | unknown-dependency | /depends_on/0",
        "\"parent_held_id\":\"hc_nope\" | unknown-dependency | /parent_held_id",
        "\"continuation_ref\":7 | invalid-field | /continuation_ref",
        "\"preferences\":7 | invalid-field | /preferences",
        "\"preferences\":{\"wait_ms\":60001} | invalid-field | /preferences/wait_ms",
        "\"preferences\":{\"wait_ms\":-1} | invalid-field | /preferences/wait_ms",
        "\"preferences\":{\"wait_ms\":\"1\"} | invalid-field | /preferences/wait_ms",
        "\"preferences\":{\"wait_ms\":1.5} | invalid-field | /preferences/wait_ms",
        "\"preferences\":{\"timeout_s\":0} | invalid-field | /preferences/timeout_s",
        "\"preferences\":{\"on_disconnect\":\"drop\"} | invalid-field | /preferences/on_disconnect",
        "\"preferences\":{\"require\":\"human &\"} | invalid-field | /preferences/require",
        "\"preferences\":{\"route\":[\"a\",\"a\"]} | invalid-field | /preferences/route/1"
      })
  void a_wrong_field_is_named_and_nothing_is_done(String field, String slug, String pointer)
      throws Exception {
    Got got = propose(MINIMAL.strip().replaceFirst("}$", "") + "," + field + "}");

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.slug()).isEqualTo(slug);
    assertThat(got.json().path("errors").get(0).path("pointer").asText()).isEqualTo(pointer);
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @Test
  void all_that_is_wrong_with_a_body_is_said_at_once() throws Exception {
    Got got = propose("{\"session_id\":\"\",\"call_id\":\"a\\u0000\",\"args\":[],\"tool\":1}");

    assertThat(got.slug()).isEqualTo("invalid-field");
    assertThat(got.json().path("errors").findValuesAsText("pointer"))
        .containsExactly("/session_id", "/turn_id", "/call_id", "/tool", "/args");
    assertThat(got.json().path("errors").get(1).path("message").asText())
        .isEqualTo("is required: expected a string");
  }

  @Test
  void a_body_that_is_no_object_is_one_problem() throws Exception {
    Got got = propose("[]");

    assertThat(got.slug()).isEqualTo("invalid-field");
    assertThat(got.json().path("errors")).hasSize(1);
  }

  @Test
  void many_problems_are_capped() throws Exception {
    StringBuilder fields = new StringBuilder("{\"x\":0");
    for (int i = 0; i < 100; i++) {
      fields.append(",\"x").append(i).append("\":0");
    }

    assertThat(propose(fields + "}").json().path("errors")).hasSize(20);
  }

  @Test
  void an_idempotency_key_that_is_no_key_is_refused() throws Exception {
    Got got =
        gateway.send(
            gateway
                .request("/tool-calls", "dev-agent")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "k".repeat(257))
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(MINIMAL))
                .build());

    assertThat(got.status()).isEqualTo(422);
    assertThat(gateway.kernel.untouched()).isTrue();
  }
}
