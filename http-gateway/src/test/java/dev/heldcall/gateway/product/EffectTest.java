package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a tool is sent, and what its answers mean (the design, effect protocol). */
@ParameterizedClass
@EnumSource(Engine.class)
class EffectTest extends ProductTest {

  private static final String ED25519_KEY = "302a300506032b6570032100";

  private final Engine engine;

  EffectTest(Engine engine) {
    super(engine);
    this.engine = engine;
  }

  @Test
  void theToolIsToldWhoReleasedWhatUntilWhen() throws Exception {
    Held held = hold("act", "b", 2, "a", "ü");
    var _ = held.approve(alice).is(202);
    var _ = held.delivery();
    ToolServer.Seen seen = tools.requests(held.id()).getFirst();
    assertThat(seen.body()).isEqualTo("{\"a\":\"ü\",\"b\":2,\"rule\":\"human\"}");
    assertThat(seen.header("Content-type")).startsWith("application/json");
    assertThat(seen.key()).isEqualTo(held.id() + ".1");
    assertThat(seen.header("Heldcall-id")).isEqualTo(held.id());
    assertThat(seen.header("Heldcall-call-digest")).isEqualTo(held.answer().text("/call_digest"));
    assertThat(seen.header("Heldcall-fencing-token")).isNotBlank();
    assertThat(Instant.parse(seen.header("Heldcall-deadline"))).isAfter(Instant.now());

    JsonNode claims = verified(seen.header("Heldcall-permit"));
    assertThat(claims.path("held_id").asText()).isEqualTo(held.id());
    assertThat(claims.path("call_digest").asText()).isEqualTo(seen.header("Heldcall-call-digest"));
    assertThat(claims.path("idempotency_key").asText()).isEqualTo(seen.key());
    assertThat(claims.path("fencing_token").asText())
        .isEqualTo(seen.header("Heldcall-fencing-token"));
    assertThat(claims.path("deadline").asText()).isEqualTo(seen.header("Heldcall-deadline"));
  }

  private JsonNode verified(String permit) throws Exception {
    String[] parts = permit.split("\\.", -1);
    JsonNode head = Json.tree(decoded(parts[0]));
    assertThat(head.path("alg").asText()).isEqualTo("EdDSA");
    JsonNode keys = node.as("nobody").get("/.well-known/jwks.json").is(200).at("/keys");
    for (JsonNode key : keys) {
      if (key.path("kid").equals(head.path("kid"))) {
        assertThat(key.has("d")).isFalse();
        byte[] x = Base64.getUrlDecoder().decode(key.path("x").asText());
        byte[] spki = HexFormat.of().parseHex(ED25519_KEY + HexFormat.of().formatHex(x));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(
            KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(spki)));
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        return Json.tree(decoded(parts[1]));
      }
    }
    throw new AssertionError("no key " + head);
  }

  private static String decoded(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  @Test
  void a4xxIsAFailedResultAndIsNeverRetried() {
    for (int status : new int[] {400, 404, 409, 422, 429}) {
      Held held = call("act", "do", "status", "status", status);
      Got answer = held.answer().is(200);
      assertThat(answer.text("/result/outcome")).isEqualTo("failed");
      assertThat(answer.text("/result/admission")).isEqualTo("admitted");
      assertThat(answer.text("/result/content/say")).isEqualTo("the tool says no");
      assertThat(held.read().text("/status/execution")).isEqualTo("effect-recorded");
      assertThat(held.delivery().at("/result/outcome").asText()).isEqualTo("failed");
      assertThat(tools.requests(held.id())).hasSize(1);
    }
  }

  @Test
  void a408A3xxAndA5xxLeaveTheOutcomeUnknown() {
    for (int status : new int[] {301, 302, 307, 408, 500, 502, 503}) {
      Held held = call("act", "do", "status", "status", status);
      Got answer = held.answer().is(202);
      assertThat(answer.text("/verdict")).isEqualTo("ALLOW");
      assertThat(answer.at("/contract").isNull()).isTrue();
      assertThat(answer.at("/witness_request").isNull()).isTrue();
      assertThat(answer.header("location")).isEqualTo(held.path());
      assertThat(answer.header("retry-after")).isNotBlank();
      Got call = held.read();
      assertThat(call.text("/status/execution")).isEqualTo("outcome-unknown");
      assertThat(call.text("/phase")).isEqualTo("OUTCOME_UNKNOWN");
      assertThat(tools.requests(held.id())).hasSize(1);
    }
  }

  @Test
  void aTimeoutLeavesTheOutcomeUnknown() {
    String gate = session();
    Held held = call("quick", "do", "gate", "gate", gate);
    assertThat(held.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    assertThat(tools.requests(held.id())).hasSize(1);
    tools.open(gate);
  }

  @Test
  void aRefusedConnectionIsTriedThreeTimesAndThenTheCallIsDenied() {
    assumeTrue(engine == Engine.H2, "twelve seconds of pauses that no database has a part in");
    Held held = call("dead");
    var _ = held.until("/status/lifecycle", "denied");
    assertThat(held.read().at("/attempt").asInt()).isEqualTo(3);
    assertThat(held.events("lease-granted")).isEqualTo(3);
    assertThat(held.events("lease-ended-without-effect")).isEqualTo(3);
    JsonNode refusal = held.delivery().path("refusal");
    assertThat(refusal.path("kind").asText()).isEqualTo("denied");
    assertThat(refusal.path("executed").asBoolean(true)).isFalse();
  }

  @Test
  void field01_theConnectionIsCutAfterTheEffectAndTheReadBackFindsIt() {
    Held held = hold("look", "do", "cut", "say", "done");
    var _ = held.approve(alice).is(202);
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/result/outcome").asText()).isEqualTo("succeeded");
    assertThat(delivery.at("/result/content/say").asText()).isEqualTo("done");
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertThat(tools.requests(held.id())).hasSize(1);
    assertThat(tools.readBacks(held.id())).isNotEmpty();
    assertThat(held.read().text("/status/execution")).isEqualTo("effect-recorded");
  }

  @Test
  void aReadBackThatCannotTellIsAskedAgainAndNothingRunsAgain() {
    Held held = hold("look", "do", "cut", "read_back", 503);
    var _ = held.approve(alice).is(202);
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> tools.readBacks(held.id()).size() >= 3);
    assertThat(held.read().text("/status/execution")).isEqualTo("outcome-unknown");
    assertThat(held.read().at("/explain").toString()).contains("read-back");
    assertThat(tools.requests(held.id())).hasSize(1);
  }

  @Test
  void anIdempotentToolIsSentTheSameKeyAgainAndOneResultIsDelivered() {
    Held held = hold("again", "do", "cut-first", "say", "hello");
    var _ = held.approve(alice).is(202);
    JsonNode delivery = held.delivery();
    assertThat(delivery.at("/result/content/say").asText()).isEqualTo("hello");
    assertThat(tools.requests(held.id())).hasSize(2);
    assertThat(tools.requests(held.id()))
        .allMatch(each -> each.key().equals(held.id() + ".1"))
        .allMatch(each -> each.body().equals(tools.requests(held.id()).getFirst().body()));
    assertThat(tools.requests(held.id()))
        .extracting(each -> each.header("Heldcall-fencing-token"))
        .doesNotHaveDuplicates();
    assertThat(held.deliveries()).hasSize(1);
  }

  @Test
  void rule03_onlyA2xxOfTheRepeatedDispatchClosesIt() {
    Held held = call("again", "do", "status", "status", 409);
    assertThat(held.answer().is(200).text("/result/outcome")).isEqualTo("failed");
    Held unknown = call("again", "do", "fail-first");
    assertThat(unknown.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    assertThat(unknown.delivery().at("/result/outcome").asText()).isEqualTo("succeeded");
    assertThat(tools.requests(unknown.id())).hasSize(2);
  }

  @Test
  void rule03_afterAWishToCancelTheRequestIsNotRepeated() {
    Held wished = call("again", "do", "cut");
    var _ = wished.answer().is(202);
    var _ = wished.cancel("no more").isProblem(409, "effect-dispatched");
    Held later = call("again", "do", "cut-first");
    var _ = later.delivery();
    assertThat(tools.requests(later.id())).hasSize(2);
    assertThat(tools.requests(wished.id())).hasSize(1);
    assertThat(wished.read().text("/status/execution")).isEqualTo("outcome-unknown");
  }

  @Test
  void anAnswerOverTheBoundIsAnOutcomeWithCutContent() {
    Held held = call("act", "do", "bytes", "bytes", (1 << 20) + 100);
    Got answer = held.answer().is(200);
    assertThat(answer.text("/result/outcome")).isEqualTo("succeeded");
    assertThat(answer.text().length()).isLessThan(1 << 20);
    assertThat(answer.text("/result/content_digest")).startsWith("sha256:");
  }
}
