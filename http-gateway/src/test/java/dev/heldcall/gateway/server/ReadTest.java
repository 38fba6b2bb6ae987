package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.HistoryPage;
import dev.heldcall.kernel.api.InboxPage;
import dev.heldcall.kernel.api.InboxQuery;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.plugin.api.Disclosure;
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
class ReadTest {

  private static final String PATH = "/held/" + SampleCall.HELD_ID;

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

  @Test
  void a_call_is_shown_with_every_field_of_the_contract() throws Exception {
    gateway.kernel.succeeds("read", SampleCall.held().attested(1).view());

    Got got = gateway.get(PATH, "dev-agent");

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.header("etag")).isEqualTo("\"4\"");
    JsonNode json = got.json();
    assertThat(json.fieldNames())
        .toIterable()
        .contains(
            "held_id",
            "session_id",
            "turn_id",
            "call_id",
            "boundary",
            "tool",
            "args",
            "args_digest",
            "call_digest",
            "contract",
            "policy_version",
            "plugin_set_digest",
            "principal",
            "capability_snapshot",
            "continuation_ref",
            "created_at",
            "expires_at",
            "attempt",
            "idempotency_key",
            "status",
            "phase",
            "explain",
            "result");
    assertThat(json.path("principal").toString())
        .isEqualTo("{\"org\":\"acme\",\"project\":\"default\",\"id\":\"agent-1\"}");
    assertThat(json.path("capability_snapshot").toString())
        .isEqualTo("[\"notes.write\",\"payments.write\"]");
    assertThat(json.path("attempt").asInt(-1)).isZero();
    assertThat(json.path("idempotency_key").asText()).isEqualTo(SampleCall.HELD_ID + ".1");
    JsonNode status = json.path("status");
    assertThat(status.path("intent_generation").asInt()).isEqualTo(1);
    assertThat(status.path("lifecycle").asText()).isEqualTo("open");
    assertThat(status.path("policy_epoch_checked").asInt()).isEqualTo(3);
    assertThat(status.path("execution").asText()).isEqualTo("none");
    assertThat(status.path("result_admission").asText()).isEqualTo("pending");
    assertThat(status.path("continuation_delivery").asText()).isEqualTo("pending");
    assertThat(status.path("witness_rule").path("expression").asText()).isEqualTo("human");
    assertThat(status.path("cancel_requested_at").isNull()).isTrue();
    JsonNode evidence = status.path("evidence").get(0);
    assertThat(evidence.path("attestation_id").asText()).isEqualTo("a-1");
    assertThat(evidence.path("class").asText()).isEqualTo("human");
    assertThat(evidence.path("witness").asText()).isEqualTo("alice");
    assertThat(evidence.path("decision").asText()).isEqualTo("approve");
    assertThat(evidence.path("state").asText()).isEqualTo("valid");
    assertThat(json.path("result").isNull()).isTrue();
  }

  @Test
  void much_evidence_is_cut_and_said_to_be() throws Exception {
    gateway.kernel.succeeds("read", SampleCall.held().attested(7).view());

    JsonNode status = gateway.get(PATH, "dev-agent").json().path("status");

    assertThat(status.path("evidence")).hasSize(5);
    assertThat(status.path("evidence").get(0).path("attestation_id").asText()).isEqualTo("a-3");
    assertThat(status.path("evidence_left_out").asInt()).isEqualTo(2);
  }

  @Test
  void a_wish_to_cancel_and_an_unknown_outcome_show() throws Exception {
    gateway.kernel.succeeds("read", SampleCall.held().leased(LeaseState.UNKNOWN).wished().view());

    JsonNode json = gateway.get(PATH, "dev-agent").json();

    assertThat(json.path("status").path("execution").asText()).isEqualTo("outcome-unknown");
    assertThat(json.path("status").path("cancel_requested_at").asText())
        .isEqualTo("2030-01-31T12:00:00.123Z");
    assertThat(json.path("phase").asText()).isEqualTo("OUTCOME_UNKNOWN");
    assertThat(json.path("attempt").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dev-agent    | SUMMARY | full    | {\"to\":\"acct-2\",\"amount_minor\":125000}",
        "dev-operator | DIGEST  | full    | {\"to\":\"acct-2\",\"amount_minor\":125000}",
        "dev-alice    | FULL    | full    | {\"to\":\"acct-2\",\"amount_minor\":125000}",
        "dev-alice    | SUMMARY | summary | {\"to\":\"string\",\"amount_minor\":\"number\"}",
        "dev-alice    | DIGEST  | digest  | null"
      })
  void the_arguments_are_shown_as_disclosed(
      String token, Disclosure disclosure, String shown, String args) throws Exception {
    gateway.kernel.succeeds(
        "read",
        SampleCall.held()
            .disclosing(disclosure)
            .succeeded(JsonNodeFactory.instance.objectNode().put("secret", 1))
            .view());

    JsonNode json = gateway.get(PATH, token).json();

    assertThat(json.path("args").toString()).isEqualTo(args);
    assertThat(json.path("disclosure").asText()).isEqualTo(shown);
    assertThat(json.path("args_left_out").asBoolean()).isEqualTo(!shown.equals("full"));
    assertThat(json.path("result").has("content")).isEqualTo(shown.equals("full"));
    assertThat(json.path("result").path("content_left_out").asBoolean())
        .isEqualTo(!shown.equals("full"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?wait_ms=250&since=%224%22 | 250 | 4",
        "?wait_ms=250&since=4       | 250 | 4",
        "?wait_ms=&since=           | 0   |",
        "''                         | 0   |"
      })
  void a_long_poll_reaches_the_kernel(String query, int waited, Long since) throws Exception {
    gateway.kernel.succeeds("read", SampleCall.held().view());

    assertThat(gateway.get(PATH + query, "dev-agent").status()).isEqualTo(200);

    var asked = gateway.kernel.only("read");
    assertThat(asked.argument(2)).isEqualTo(Duration.ofMillis(waited));
    assertThat(asked.argument(3)).isEqualTo(since);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?wait_ms=60001       | invalid-field | /wait_ms",
        "?wait_ms=-1          | invalid-field | /wait_ms",
        "?wait_ms=%2B1        | invalid-field | /wait_ms",
        "?wait_ms=1&wait_ms=2 | invalid-field | /wait_ms",
        "?since=x             | invalid-field | /since",
        "?since=%22           | invalid-field | /since",
        "?wait=1              | unknown-field | /wait"
      })
  void a_query_is_read_strictly(String query, String slug, String pointer) throws Exception {
    Got got = gateway.get(PATH + query, "dev-agent");

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.slug()).isEqualTo(slug);
    assertThat(got.json().path("errors").get(0).path("pointer").asText()).isEqualTo(pointer);
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"NOT_FOUND, 404, not-found", "FORBIDDEN, 403, forbidden"})
  void what_is_not_for_the_viewer_is_refused(Problem problem, int status, String slug)
      throws Exception {
    gateway.kernel.refuses("read", problem);

    Got got = gateway.get(PATH, "dev-agent-2");

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.slug()).isEqualTo(slug);
  }

  @ParameterizedTest
  @CsvSource({"/held/x", "/held/hc_", "/held/hc_AAAA/history", "/held/a%2Fb"})
  void an_id_that_is_none_is_not_found_without_asking(String path) throws Exception {
    assertThat(gateway.get(path, "dev-agent").slug()).isEqualTo("not-found");
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @Test
  void a_receipt_has_the_newest_64_decisions_and_says_how_many_are_left_out() throws Exception {
    gateway.kernel.succeeds("read", SampleCall.held().attested(70).view());

    JsonNode receipt = gateway.get(PATH + "/receipt", "dev-agent").json();

    assertThat(receipt.at("/decisions")).hasSize(64);
    assertThat(receipt.at("/decisions/0/attestation_id").asText()).isEqualTo("a-7");
    assertThat(receipt.at("/decisions/63/attestation_id").asText()).isEqualTo("a-70");
    assertThat(receipt.at("/left_out").asInt()).isEqualTo(6);
  }

  @Test
  void the_history_is_paged_and_says_what_is_left_out() throws Exception {
    gateway.kernel.succeeds(
        "history",
        new HistoryPage(List.of(JsonNodeFactory.instance.objectNode().put("seq", 3)), 9));

    Got got = gateway.get(PATH + "/history?after=2&limit=1", "dev-agent");

    assertThat(got.text()).isEqualTo("{\"items\":[{\"seq\":3}],\"left_out\":9}");
    assertThat(gateway.kernel.only("history").arguments().subList(1, 4))
        .containsExactly(SampleCall.HELD_ID, 2L, 1);
  }

  @ParameterizedTest
  @CsvSource({"limit=0", "limit=1001", "after=-1", "after=x"})
  void the_bounds_of_a_history_are_checked(String query) throws Exception {
    assertThat(gateway.get(PATH + "/history?" + query, "dev-agent").status()).isEqualTo(422);
  }

  @Test
  void the_list_reaches_the_kernel_as_asked() throws Exception {
    gateway.kernel.succeeds(
        "inbox",
        new InboxPage(List.of(JsonNodeFactory.instance.objectNode().put("held_id", "x")), "next"));

    Got got =
        gateway.get(
            "/held?state=ended&class=human&session_id=s+1&tool=t%2F2&cursor=c&limit=7",
            "dev-alice");

    assertThat(got.text()).isEqualTo("{\"items\":[{\"held_id\":\"x\"}],\"next_cursor\":\"next\"}");
    assertThat(gateway.kernel.only("inbox").argument(1))
        .isEqualTo(new InboxQuery(InboxQuery.State.ENDED, "human", "s 1", "t/2", "c", 7));
  }

  @Test
  void the_list_has_defaults() throws Exception {
    gateway.kernel.succeeds("inbox", new InboxPage(List.of(), null));

    Got got = gateway.get("/held", "dev-alice");

    assertThat(got.text()).isEqualTo("{\"items\":[],\"next_cursor\":null}");
    assertThat(gateway.kernel.only("inbox").argument(1))
        .isEqualTo(new InboxQuery(InboxQuery.State.WAITING, null, null, null, null, 50));
  }

  @ParameterizedTest
  @CsvSource({"state=open", "limit=501", "limit=0", "sort=x"})
  void the_list_is_asked_strictly(String query) throws Exception {
    assertThat(gateway.get("/held?" + query, "dev-alice").status()).isEqualTo(422);
  }
}
