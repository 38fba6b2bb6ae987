package dev.heldcall.gateway.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.api.Reply;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileClientTest {

  private static final int MAX_BODY = 4096;
  private static final String HEAD =
      """
      POST /tool-calls HTTP/1.1
      Host: x
      Authorization: Bearer dev-agent
      Content-Type: application/json
      """;

  private TestGateway gateway;

  @BeforeAll
  void start() throws Exception {
    gateway = new TestGateway(MAX_BODY, 512, 4096, Duration.ofSeconds(1));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @BeforeEach
  void reset() {
    gateway.kernel.reset();
  }

  private RawClient client() throws Exception {
    return new RawClient(gateway.port());
  }

  private static String proposal(String onDisconnect) {
    return """
    {"session_id":"s-1","turn_id":"t-1","call_id":"c-1","tool":"t","args":{},
     "preferences":{"wait_ms":60000,"on_disconnect":"%s"}}"""
        .formatted(onDisconnect);
  }

  @Test
  void a_body_that_is_announced_too_large_is_refused_at_once() throws Exception {
    try (RawClient client = client()) {
      client.send(HEAD + "Content-Length: 10000000\n\n{");

      assertThat(client.response())
          .startsWith("HTTP/1.1 413")
          .contains("application/problem+json", "body-too-large");
    }
  }

  @Test
  void a_client_that_writes_all_of_a_large_body_first_sees_the_refusal() throws Exception {
    byte[] body = "x".repeat(8 << 20).getBytes(UTF_8);
    try (RawClient client = client()) {
      client.send(HEAD + "Content-Length: " + body.length + "\n\n");
      client.send(body);

      assertThat(client.response()).startsWith("HTTP/1.1 413").contains("body-too-large");
    }
  }

  @Test
  void a_chunked_body_that_grows_too_large_is_refused_while_it_is_written() throws Exception {
    byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(UTF_8);
    try (RawClient client = client()) {
      client.send(HEAD + "Transfer-Encoding: chunked\n\n");
      for (int i = 0; i < 64; i++) {
        client.send(chunk);
      }
      client.send("0\n\n");

      assertThat(client.response()).startsWith("HTTP/1.1 413").contains("body-too-large");
    }
  }

  @Test
  void a_large_body_without_a_token_is_refused_as_unauthorized_and_seen() throws Exception {
    byte[] body = "x".repeat(8 << 20).getBytes(UTF_8);
    try (RawClient client = client()) {
      client.send(
          "POST /tool-calls HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: "
              + body.length
              + "\n\n");
      client.send(body);

      assertThat(client.response()).startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void a_client_that_asks_for_leave_to_send_too_much_is_not_given_it() throws Exception {
    try (RawClient client = client()) {
      client.send(HEAD + "Expect: 100-continue\nContent-Length: 10000000\n\n");

      assertThat(client.response()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void a_client_that_asks_for_leave_to_send_a_fair_body_is_given_it() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().view());
    byte[] body = proposal("keep").getBytes(UTF_8);
    try (RawClient client = client()) {
      client.send(HEAD + "Expect: 100-continue\nContent-Length: " + body.length + "\n\n");
      assertThat(client.response()).startsWith("HTTP/1.1 100");
      client.send(body);

      assertThat(client.response()).startsWith("HTTP/1.1 202");
    }
  }

  @Test
  void a_body_at_the_bound_is_taken() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().view());
    String body = proposal("keep");
    byte[] padded = (body + " ".repeat(MAX_BODY - body.length())).getBytes(UTF_8);
    try (RawClient client = client()) {
      client.send(HEAD + "Content-Length: " + padded.length + "\n\n");
      client.send(padded);
      assertThat(client.response()).startsWith("HTTP/1.1 202");
      client.send(HEAD + "Content-Length: " + (padded.length + 1) + "\n\n");
      client.send(padded).send(" ");
      assertThat(client.response()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void a_body_that_never_arrives_is_timed_out() throws Exception {
    try (RawClient client = client()) {
      client.send(HEAD + "Content-Length: 100\n\n{");

      assertThat(client.response()).startsWith("HTTP/1.1 408").contains("request-timeout");
      assertThat(client.ended()).isTrue();
    }
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?\n\n", "GET", "GET / HTTP/1.1\nHost: x\n"})
  void a_connection_on_which_no_request_comes_is_closed(String beginning) throws Exception {
    try (RawClient client = client()) {
      assertThat(client.send(beginning).ended()).isTrue();
    }
  }

  @Test
  void a_client_that_writes_far_more_than_is_read_finds_the_refusal_when_it_gives_up()
      throws Exception {
    byte[] part = new byte[1 << 20];
    try (RawClient client = client()) {
      client.send(HEAD + "Content-Length: 100000000000\n\n");
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  client.send(part);
                }
              })
          .isInstanceOf(SocketException.class);

      assertThat(client.response()).startsWith("HTTP/1.1 413").contains("body-too-large");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/9.9\nHost: x\n\n",
        "GET /a%zz HTTP/1.1\nHost: x\n\n",
        "GET /held?x=%zz HTTP/1.1\nHost: x\n\n",
        "GET /a b HTTP/1.1\nHost: x\n\n",
        "BREW /held HTTP/1.1\nHost: x\n\n",
        "GET /health/live HTTP/1.1\n\n",
        "GET /health/live HTTP/1.1\nHost: x\nHost: y\n\n",
        "POST /tool-calls HTTP/1.1\nHost: x\nContent-Length: 1\nContent-Length: 2\n\n{}",
        "POST /tool-calls HTTP/1.1\nHost: x\nContent-Length: -1\n\n{}",
        "POST /tool-calls HTTP/1.1\nHost: x\nTransfer-Encoding: gzip\n\n{}",
        "POST /tool-calls HTTP/1.1\nHost: x\nExpect: tea\nContent-Length: 2\n\n{}",
        "GET /health/live HTTP/1.1\nHost: x\nBad Header: 1\n\n",
        "GARBAGE\n\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u0000\u0003\u0003",
      })
  void what_is_no_request_is_answered_as_a_problem(String request) throws Exception {
    try (RawClient client = client()) {
      String response = client.send(request).response();

      assertThat(response)
          .matches("(?s)HTTP/1.1 [45]\\d\\d.*")
          .contains("application/problem+json", "https://heldcall.dev/problems/")
          .doesNotContain("pekko", "Exception");
    }
  }

  @Test
  void headers_and_addresses_over_their_bounds_are_answered_as_problems() throws Exception {
    try (RawClient client = client()) {
      client.send("GET /" + "a".repeat(10_000) + " HTTP/1.1\nHost: x\n\n");
      assertThat(client.response()).startsWith("HTTP/1.1 414").contains("uri-too-long");
    }
    try (RawClient client = client()) {
      client.send("GET / HTTP/1.1\nHost: x\nX: " + "a".repeat(100_000) + "\n\n");
      assertThat(client.response()).startsWith("HTTP/1.1 431").contains("headers-too-large");
    }
  }

  @Test
  void the_server_names_itself_without_a_version() throws Exception {
    try (RawClient client = client()) {
      String response = client.send("GET /health/live HTTP/1.1\nHost: x\n\n").response();

      assertThat(response.lines().filter(line -> line.startsWith("Server:")))
          .containsExactly("Server: heldcall");
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void a_dropped_connection_cancels_a_call_that_asked_for_it(boolean abruptly) throws Exception {
    CompletableFuture<Reply<?>> parked = new CompletableFuture<>();
    gateway.kernel.stages("propose", parked);
    gateway.kernel.succeeds("cancel", SampleCall.held().view());
    byte[] body = proposal("cancel").getBytes(UTF_8);
    RawClient client = client();
    client.send(HEAD + "Content-Length: " + body.length + "\n\n").send(body);
    await().until(() -> !gateway.kernel.asked("propose").isEmpty());

    if (abruptly) {
      client.reset();
    } else {
      client.close();
    }

    await().until(() -> !gateway.kernel.asked("cancel").isEmpty());
    var asked = gateway.kernel.only("cancel");
    assertThat(asked.argument(1)).isEqualTo(SampleCall.HELD_ID);
    assertThat(asked.argument(2)).isEqualTo("client disconnected");

    parked.complete(new Reply.Ok<>(SampleCall.held().view()));
    await().until(() -> gateway.kernel.asked("cancel").size() == 2);
  }

  @Test
  void a_dropped_connection_changes_nothing_of_a_call_that_is_kept() throws Exception {
    CompletableFuture<Reply<?>> parked = new CompletableFuture<>();
    gateway.kernel.stages("propose", parked);
    gateway.kernel.succeeds("cancel", SampleCall.held().view());
    byte[] keep = proposal("keep").getBytes(UTF_8);
    byte[] cancel = proposal("cancel").replace("c-1", "c-2").getBytes(UTF_8);
    RawClient first = client();
    first.send(HEAD + "Content-Length: " + keep.length + "\n\n").send(keep);
    await().until(() -> gateway.kernel.asked("propose").size() == 1);
    first.reset();

    RawClient second = client();
    second.send(HEAD + "Content-Length: " + cancel.length + "\n\n").send(cancel);
    await().until(() -> gateway.kernel.asked("propose").size() == 2);
    second.reset();

    await().until(() -> !gateway.kernel.asked("cancel").isEmpty());
    assertThat(gateway.kernel.only("cancel").argument(1)).isNotEqualTo(SampleCall.HELD_ID);
  }

  @Test
  void an_answered_call_is_not_cancelled_when_its_client_leaves() throws Exception {
    gateway.kernel.succeeds("propose", SampleCall.held().view());
    byte[] body = proposal("cancel").getBytes(UTF_8);
    RawClient client = client();
    client.send(HEAD + "Content-Length: " + body.length + "\n\n").send(body);
    assertThat(client.response()).startsWith("HTTP/1.1 202");
    client.close();

    a_dropped_connection_cancels_a_call_that_asked_for_it(true);
    assertThat(gateway.kernel.asked("cancel")).hasSize(2);
  }
}
