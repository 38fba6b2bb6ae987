package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.ClaimedRequest;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.plugin.api.Disclosure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClaimTest {

  private static final String PATH = "/witness-requests/claim";

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
  void a_claim_reaches_the_kernel_with_its_defaults() throws Exception {
    gateway.kernel.succeeds("claim", List.of());

    Got got = gateway.post(PATH, "dev-alice", "{\"class\":\"human\"}");

    assertThat(got.text()).isEqualTo("{\"items\":[]}");
    assertThat(gateway.kernel.only("claim").arguments().subList(1, 5))
        .containsExactly("human", 10, Duration.ofMinutes(1), Duration.ZERO);
  }

  @Test
  void a_claim_is_asked_for_in_every_detail() throws Exception {
    gateway.kernel.succeeds("claim", List.of());

    Got got =
        gateway.post(
            PATH,
            "dev-alice",
            "{\"class\":\"human\",\"limit\":100,\"lease_ms\":3600000,\"wait_ms\":60000}");

    assertThat(got.status()).isEqualTo(200);
    assertThat(gateway.kernel.only("claim").arguments().subList(1, 5))
        .containsExactly("human", 100, Duration.ofHours(1), Duration.ofMinutes(1));
  }

  @Test
  void a_claimed_request_shows_what_a_witness_may_see() throws Exception {
    gateway.kernel.succeeds(
        "claim",
        List.of(
            new ClaimedRequest(
                "wc_1",
                "human",
                Instant.parse("2030-01-31T12:00:00Z"),
                SampleCall.held().disclosing(Disclosure.DIGEST).view())));

    var item = gateway.post(PATH, "dev-alice", "{\"class\":\"human\"}").json().at("/items/0");

    assertThat(item.path("claim_id").asText()).isEqualTo("wc_1");
    assertThat(item.path("claimed_until").asText()).isEqualTo("2030-01-31T12:00:00.000Z");
    assertThat(item.path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
    assertThat(item.at("/presentation/args").isNull()).isTrue();
    assertThat(item.at("/presentation/left_out").toString()).isEqualTo("[\"\"]");
    assertThat(item.at("/contract/digest").asText())
        .isEqualTo(item.path("contract_digest").asText());
  }

  @Test
  void too_many_claims_are_refused_with_a_time_to_come_back() throws Exception {
    gateway.kernel.refuses("claim", Problem.TOO_MANY_CLAIMS);

    Got got = gateway.post(PATH, "dev-alice", "{\"class\":\"human\"}");

    assertThat(got.status()).isEqualTo(429);
    assertThat(got.slug()).isEqualTo("too-many-claims");
    assertThat(got.header("retry-after")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev-agent", "dev-operator", "dev-policy"})
  void only_witnesses_claim_and_release(String token) throws Exception {
    assertThat(gateway.post(PATH, token, "{\"class\":\"human\"}").slug()).isEqualTo("forbidden");
    assertThat(gateway.post("/witness-requests/wc_1/release", token, "{}").slug())
        .isEqualTo("forbidden");
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @Test
  void a_release_is_answered_with_the_claim() throws Exception {
    gateway.kernel.succeeds("release", "wc_1");

    Got got = gateway.post("/witness-requests/wc_1/release", "dev-alice", "{}");

    assertThat(got.text()).isEqualTo("{\"claim_id\":\"wc_1\",\"released\":true}");
    assertThat(gateway.kernel.only("release").argument(1)).isEqualTo("wc_1");
    assertThat(gateway.post("/witness-requests/wc_1/release", "dev-alice", "{\"x\":1}").slug())
        .isEqualTo("unknown-field");
  }
}
