package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.ClusterMember;
import dev.heldcall.kernel.api.InboxPage;
import dev.heldcall.kernel.api.NodeHealth;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommonRulesTest {

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

  private Got withAuthorization(@Nullable String header) throws Exception {
    var request = gateway.request("/held", null);
    return gateway.send(
        (header == null ? request : request.header("Authorization", header)).build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer nobody",
        "Bearer",
        "Bearer ",
        "Basic x",
        "dev-agent",
        "Bearer dev-agent x"
      })
  void a_bad_token_is_unauthorized(String header) throws Exception {
    Got got = withAuthorization(header);

    assertThat(got.status()).isEqualTo(401);
    assertThat(got.slug()).isEqualTo("unauthorized");
    assertThat(got.header("www-authenticate")).startsWith("Bearer");
    assertThat(got.text()).doesNotContain("dev-agent");
  }

  @Test
  void no_token_is_unauthorized() throws Exception {
    Got got = withAuthorization(null);

    assertThat(got.status()).isEqualTo(401);
    assertThat(got.header("www-authenticate")).isEqualTo("Bearer");
  }

  @Test
  void the_scheme_is_written_in_any_case() throws Exception {
    gateway.kernel.succeeds("inbox", new InboxPage(List.of(), null));

    assertThat(withAuthorization("bearer dev-agent").status()).isEqualTo(200);
  }

  @Test
  void two_authorizations_are_one_too_many() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          """
          GET /held HTTP/1.1
          Host: x
          Authorization: Bearer dev-agent
          Authorization: Bearer dev-alice

          """);
      assertThat(client.response()).startsWith("HTTP/1.1 401");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/nope", "/held/", "/Held", "/tool-calls/", "/health", "//held"})
  void an_unknown_path_is_not_found(String path) throws Exception {
    Got got = gateway.get(path, "dev-agent");

    assertThat(got.status()).isEqualTo(404);
    assertThat(got.slug()).isEqualTo("not-found");
    assertThat(got.header("content-type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | /tool-calls   | OPTIONS, POST",
        "DELETE | /held         | GET, HEAD, OPTIONS",
        "PUT    | /policies/a   | GET, HEAD, OPTIONS, POST",
        "POST   | /health/live  | GET, HEAD, OPTIONS"
      })
  void a_wrong_method_says_which_are_right(String method, String path, String allow)
      throws Exception {
    Got got =
        gateway.send(
            gateway.request(path, "dev-agent").method(method, BodyPublishers.noBody()).build());

    assertThat(got.status()).isEqualTo(405);
    assertThat(got.slug()).isEqualTo("method-not-allowed");
    assertThat(got.header("allow")).isEqualTo(allow);
  }

  @Test
  void options_and_head_are_answered() throws Exception {
    Got options =
        gateway.send(
            gateway
                .request("/tool-calls", null)
                .method("OPTIONS", BodyPublishers.noBody())
                .build());
    assertThat(options.status()).isEqualTo(204);
    assertThat(options.header("allow")).isEqualTo("OPTIONS, POST");

    Got head = gateway.send(gateway.request("/health/live", null).HEAD().build());
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=iso-8859-1",
        "application/json; charset=utf-16",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/vnd.acme+json",
        "application/xml",
        "text/json",
        "nonsense"
      })
  void another_content_type_is_refused(String type) throws Exception {
    Got got =
        gateway.send(
            gateway
                .request("/tool-calls", "dev-agent")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString("{}"))
                .build());

    assertThat(got.status()).isEqualTo(415);
    assertThat(got.slug()).isEqualTo("unsupported-media-type");
  }

  @Test
  void no_content_type_and_a_content_encoding_are_refused() throws Exception {
    assertThat(
            gateway
                .send(
                    gateway
                        .request("/tool-calls", "dev-agent")
                        .POST(BodyPublishers.ofString("{}"))
                        .build())
                .status())
        .isEqualTo(415);
    assertThat(
            gateway
                .send(
                    gateway
                        .request("/tool-calls", "dev-agent")
                        .header("Content-Type", "application/json")
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofString("{}"))
                        .build())
                .status())
        .isEqualTo(415);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                    | 400 | invalid-json",
        "{                     | 400 | invalid-json",
        "{\"a\":1,\"a\":2}     | 400 | invalid-json",
        "{} {}                 | 400 | invalid-json",
        "{\"a\":NaN}           | 400 | invalid-json",
        "{\"a\":\"\\ud800\"}   | 400 | invalid-json",
        "{\"a\":9007199254740992} | 422 | not-i-json",
        "{\"a\":1e400}         | 422 | not-i-json"
      })
  void a_body_that_is_not_i_json_is_refused(String body, int status, String slug) throws Exception {
    Got got = gateway.post("/tool-calls", "dev-agent", body);

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.slug()).isEqualTo(slug);
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @Test
  void what_the_kernel_does_not_answer_in_time_is_unavailable() throws Exception {
    gateway.kernel.stages("inbox", CompletableFuture.failedFuture(new TimeoutException("lost")));

    Got got = gateway.get("/held", "dev-agent");

    assertThat(got.status()).isEqualTo(503);
    assertThat(got.slug()).isEqualTo("unavailable");
    assertThat(got.header("retry-after")).isEqualTo("1");
  }

  @Test
  void a_defect_says_nothing_of_the_inside() throws Exception {
    gateway.kernel.stages("inbox", CompletableFuture.failedFuture(new RuntimeException("x!")));
    Got failed = gateway.get("/held", "dev-agent");
    gateway.kernel.throwsUp("inbox", new IllegalStateException("x!"));
    Got thrown = gateway.get("/held", "dev-agent");

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.slug()).isEqualTo("internal");
    assertThat(failed.text()).doesNotContain("x!", "Exception");
    assertThat(thrown.text()).isEqualTo(failed.text());
  }

  @Test
  void health_needs_no_token() throws Exception {
    assertThat(gateway.get("/health/live", null).json().path("status").asText()).isEqualTo("live");
    gateway.kernel.stages(
        "health",
        CompletableFuture.completedFuture(
            new NodeHealth(false, Map.of("database", "clock 3 s off", "cluster", "ok"))));

    Got got = gateway.get("/health/ready", null);

    assertThat(got.status()).isEqualTo(503);
    assertThat(got.json().path("checks").path("database").asText()).isEqualTo("clock 3 s off");
    gateway.kernel.stages(
        "health", CompletableFuture.completedFuture(new NodeHealth(true, Map.of())));
    assertThat(gateway.get("/health/ready", null).status()).isEqualTo(200);
  }

  @Test
  void members_are_for_operators() throws Exception {
    gateway.kernel.returns(
        "members", List.of(new ClusterMember("127.0.0.1:2551", "up", List.of("node"), true, true)));

    assertThat(gateway.get("/cluster/members", "dev-operator").text())
        .isEqualTo(
            "{\"members\":[{\"address\":\"127.0.0.1:2551\",\"status\":\"up\","
                + "\"roles\":[\"node\"],\"reachable\":true,\"self\":true}]}");
    assertThat(gateway.get("/cluster/members", "dev-agent").status()).isEqualTo(403);
  }

  @Test
  void the_keys_and_the_contract_need_no_token() throws Exception {
    gateway.kernel.returns("permitKeys", JsonNodeFactory.instance.objectNode().put("keys", 1));

    assertThat(gateway.get("/.well-known/jwks.json", null).text()).isEqualTo("{\"keys\":1}");
    assertThat(gateway.get("/openapi.json", null).json().path("openapi").asText())
        .isEqualTo("3.1.0");
    assertThat(gateway.get("/openapi.json?x=1", null).status()).isEqualTo(422);
  }
}
