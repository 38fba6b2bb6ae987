package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Consumers that take witness requests from the queue (the HTTP contract, section 5). */
@ParameterizedClass
@EnumSource(Engine.class)
class ClaimingTest extends ProductTest {

  private static final Map<Engine, String> ORGANIZATIONS = new ConcurrentHashMap<>();
  private static final String CLAIM = "/witness-requests/claim";

  private final String org;
  private final Caller ownAgent;
  private final Caller ownAlice;
  private final Caller ownBob;
  private final List<Held> calls = new ArrayList<>();

  ClaimingTest(Engine engine) {
    super(engine);
    org = ORGANIZATIONS.computeIfAbsent(engine, each -> ownOrganization());
    ownAgent = own("agent");
    ownAlice = own("alice");
    ownBob = own("bob");
  }

  private Caller own(String id) {
    return node.as(org + "-" + id);
  }

  @AfterEach
  void leaveNothing() {
    calls.forEach(each -> each.cancel("the test is over"));
  }

  private Held held(String rule) {
    return held(ownAgent, proposal("act", "rule", rule));
  }

  private Held held(Caller proposer, ObjectNode proposal) {
    Held held = propose(proposer, proposal);
    calls.add(held);
    var _ = held.answer().is(202);
    return held;
  }

  private static Got claim(Caller witness, Object... more) {
    ObjectNode body = Json.of("class", "human");
    body.setAll(Json.of(more));
    return witness.post(CLAIM, body).is(200);
  }

  private static List<String> ids(Got claimed) {
    List<String> ids = new ArrayList<>();
    claimed.at("/items").forEach(each -> ids.add(each.path("held_id").asText()));
    return ids;
  }

  /** Claims until this call is handed out; the list may lag. */
  private static JsonNode claimed(Caller witness, Held held) {
    return Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> claim(witness), got -> ids(got).contains(held.id()))
        .at("/items/0");
  }

  @Test
  void aClaimHasAllThatAnAttestationMustBeBoundTo() {
    Held held = held("human");
    JsonNode item = claimed(ownAlice, held);
    assertThat(item.path("claim_id").asText()).startsWith("wc_");
    assertThat(item.path("class").asText()).isEqualTo("human");
    assertThat(item.path("generation").asInt()).isEqualTo(1);
    assertThat(item.path("call_digest").asText()).isEqualTo(held.answer().text("/call_digest"));
    assertThat(item.path("contract_digest").asText())
        .isEqualTo(held.answer().text("/contract/digest"));
    assertThat(item.path("expires_at").asText()).isEqualTo(held.answer().text("/expires_at"));
    assertThat(Instant.parse(item.path("claimed_until").asText())).isAfter(Instant.now());
    assertThat(item.at("/presentation/tool").asText()).isEqualTo("act");
    assertThat(item.at("/presentation/args/rule").asText()).isEqualTo("human");
    assertThat(item.at("/presentation/left_out")).isEmpty();
    assertThat(ids(claim(ownBob))).isEmpty();
    assertThat(ids(claim(ownAlice))).isEmpty();
    var _ = held.approve(ownBob).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void aReleasedRequestIsAnybodysAgainAndSoIsOneWhoseLeaseRanOut() {
    Held held = held("human");
    String claimId = claimed(ownAlice, held).path("claim_id").asText();
    String release = "/witness-requests/" + claimId + "/release";
    var _ = ownBob.post(release).isProblem(403, "forbidden");
    var _ = as("alice").post(release).isProblem(404, "not-found");
    var _ = ownAlice.post("/witness-requests/wc_x/release").isProblem(404, "not-found");
    var _ = ownAlice.post(release).is(200);
    var _ = ownAlice.post(release, Json.of()).is(200);
    Got brief = claim(ownBob, "lease_ms", 1_000);
    assertThat(ids(brief)).containsExactly(held.id());
    assertThat(ids(claim(ownAlice, "wait_ms", 20_000))).containsExactly(held.id());
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
  }

  @Test
  void ofAQuorumTheNextIsHandedTheRequestAndWhoAttestedIsNot() {
    Held held = held("two");
    var _ = claimed(ownAlice, held);
    assertThat(ids(claim(ownBob))).isEmpty();
    var _ = held.approve(ownAlice).is(202);
    assertThat(claimed(ownBob, held).path("held_id").asText()).isEqualTo(held.id());
    assertThat(ids(claim(ownAlice))).isEmpty();
    var _ = ownBob.post(held.path() + "/attestations/none/revoke").is(404);
    Held other = held("two");
    var _ = other.approve(ownAlice).is(202);
    assertThat(claimed(ownBob, other).path("held_id").asText()).isEqualTo(other.id());
    assertThat(ids(claim(own("carol")))).isEmpty();
    assertThat(ids(claim(ownAlice))).isEmpty();
    var _ = ownAlice.post(other.path() + "/attestations/a-" + ownAlice.token() + "/revoke").is(200);
    assertThat(other.read().text("/status/readiness")).isEqualTo("unsatisfied");
  }

  @Test
  void aRevokedWordIsAskedForAgain() {
    Held held = held("two");
    var _ = claimed(ownAlice, held);
    var _ = held.approve(ownAlice).is(202);
    var _ = ownAlice.post(held.path() + "/attestations/a-" + ownAlice.token() + "/revoke").is(200);
    assertThat(claimed(ownAlice, held).path("held_id").asText()).isEqualTo(held.id());
  }

  @Test
  void nobodyIsHandedACallItMayNotAttest() {
    Held held = held("human");
    ObjectNode byBoth = proposal("act", "rule", "human");
    Held own = held(own("both"), byBoth);
    assertThat(claimed(own("both"), held).path("held_id").asText()).isEqualTo(held.id());
    assertThat(ids(claim(own("both"))).contains(own.id())).isFalse();
    Got left = claim(own("delegate"), "wait_ms", 5_000);
    assertThat(ids(left)).containsExactly(own.id());
    var _ = own("ci").post(CLAIM, Json.of("class", "human")).isProblem(403, "forbidden");
    var _ = ownAgent.post(CLAIM, Json.of("class", "human")).isProblem(403, "forbidden");
    assertThat(ids(claim(as("carol"))).contains(held.id())).isFalse();
  }

  @Test
  void aDecidedOrEditedCallIsNotHandedOutAsItWas() {
    Held gone = held("human");
    var _ = gone.cancel("no more").is(200);
    Held edited = held("human");
    var _ = claimed(ownAlice, edited);
    var _ = edited.edit(1, Json.of("rule", "human", "n", 2)).is(202);
    JsonNode item = claimed(ownBob, edited);
    assertThat(item.path("generation").asInt()).isEqualTo(2);
    assertThat(item.at("/presentation/args/n").asInt()).isEqualTo(2);
    assertThat(item.path("call_digest").asText()).isEqualTo(edited.read().text("/call_digest"));
  }

  @Test
  void manyConsumersShareTheQueueAndTheOldestGoFirst() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      all.add(held("human").id());
    }
    Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> ownAlice.get("/held?class=human&limit=500").at("/items").size() >= 24);
    assertThat(ids(claim(ownAlice, "limit", 3))).isEqualTo(all.subList(0, 3));
    List<CompletableFuture<Got>> claims = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Caller witness = new Caller[] {ownAlice, ownBob, own("carol")}[i % 3];
      claims.add(witness.postSoon(CLAIM, Json.of("class", "human", "limit", 3)));
    }
    List<String> rest = new ArrayList<>();
    claims.forEach(each -> rest.addAll(ids(each.join().is(200))));
    assertThat(rest).containsExactlyInAnyOrderElementsOf(all.subList(3, 24));
  }

  @Test
  void aConsumerWaitsForTheNextRequest() {
    CompletableFuture<Got> waiting =
        ownAlice.postSoon(CLAIM, Json.of("class", "human", "wait_ms", 30_000));
    Held held = held("human");
    assertThat(ids(waiting.join().is(200))).containsExactly(held.id());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'class':'human','limit':0}        | /limit",
        "{'class':'human','limit':101}      | /limit",
        "{'class':'human','lease_ms':999}   | /lease_ms",
        "{'class':'human','lease_ms':3600001} | /lease_ms",
        "{'class':'human','wait_ms':60001}  | /wait_ms",
        "{'limit':1}                        | /class"
      })
  void theBoundsOfAClaimAreChecked(String body, String pointer) {
    Got refused = ownAlice.post(CLAIM, body.replace('\'', '"')).isProblem(422, "invalid-field");
    assertThat(refused.text("/errors/0/pointer")).isEqualTo(pointer);
  }

  @Test
  void anUnknownFieldOfAClaimIsRefused() {
    var _ =
        ownAlice.post(CLAIM, Json.of("class", "human", "lease", 1)).isProblem(422, "unknown-field");
  }
}
