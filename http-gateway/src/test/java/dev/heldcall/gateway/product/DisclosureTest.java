package dev.heldcall.gateway.product;

import static dev.heldcall.gateway.product.OwnOrganization.document;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who sees what of a call's arguments, over every answer that there is. */
@ParameterizedClass
@EnumSource(Engine.class)
class DisclosureTest extends ProductTest {

  private static final Map<Engine, String> ORGANIZATIONS = new ConcurrentHashMap<>();
  private static final String CANARY = "canary-4111";

  private final OwnOrganization own;
  private final Caller ownAgent;
  private final Caller ownAlice;

  DisclosureTest(Engine engine) {
    super(engine);
    own =
        new OwnOrganization(node, ORGANIZATIONS.computeIfAbsent(engine, each -> ownOrganization()));
    ownAgent = own.as("agent");
    ownAlice = own.as("alice");
  }

  private Held held(ObjectNode proposal) {
    ((ObjectNode) proposal.path("args")).put("rule", "human");
    Held held = propose(ownAgent, proposal);
    var _ = held.answer().is(202);
    return held;
  }

  private static ObjectNode card() {
    return proposal(
        "pay_by_card",
        "amount",
        7,
        "card_number",
        CANARY,
        "items",
        List.of(Map.of("iban", CANARY, "n", 1), Map.of("n", 2)));
  }

  private static ObjectNode preferring(String disclosure, ObjectNode proposal) {
    proposal.set("preferences", Json.of("disclosure", disclosure));
    return proposal;
  }

  /** Every answer that a witness can get of the call. */
  private List<Got> everything(Held held) {
    List<Got> all = new ArrayList<>();
    all.add(ownAlice.get(held.path()).is(200));
    all.add(ownAlice.get(held.path() + "/history").is(200));
    all.add(
        Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(
                () -> ownAlice.get("/held?state=all&session_id=" + held.sessionId()),
                got -> got.at("/items").size() == 1));
    all.add(ownAlice.get("/sessions/" + held.sessionId()));
    all.add(ownAlice.get("/sessions/" + held.sessionId() + "/deliveries"));
    all.add(ownAlice.post("/witness-requests/claim", Json.of("class", "human", "limit", 100)));
    all.add(held.attest(ownAlice, held.attestation("x-1", "ci", "approve")));
    all.add(held.attest(ownAlice, Json.of("attestation_id", "x-2")));
    ObjectNode stale = held.attestation("x-3", "human", "approve");
    all.add(held.attest(ownAlice, stale.put("generation", 9)));
    all.add(ownAlice.post(held.path() + "/attestations/x-9/revoke"));
    all.add(ownAlice.post(held.path() + "/cancel"));
    all.add(ownAlice.post(held.path() + "/edit", Json.of("generation", 1, "args", Json.of())));
    all.add(held.lease(ownAlice));
    all.add(held.outcome(ownAlice, "l-1", "succeeded", Json.of()));
    all.add(held.resolve(ownAlice, Json.of("outcome", "effect")));
    return all;
  }

  private void nothingShows(Held held) {
    for (Got got : everything(held)) {
      assertThat(got.text()).as(got.asked()).doesNotContain(CANARY);
    }
    assertThat(held.answer().text()).doesNotContain(CANARY);
    assertThat(held.read().text()).contains(CANARY);
    assertThat(own.as("operator").get(held.path()).text()).contains(CANARY);
    assertThat(held.history().toString()).contains(CANARY);
  }

  @Test
  void declaredFieldsAreShownToNoWitnessAndSaidToBeLeftOut() {
    Held held = held(card());
    nothingShows(held);
    Got seen = ownAlice.get(held.path()).is(200);
    JsonNode presentation = held.answer().at("/witness_request/presentation");
    JsonNode listed =
        ownAlice.get("/held?session_id=" + held.sessionId()).at("/items/0/presentation");
    for (JsonNode shown : new JsonNode[] {seen.json(), presentation, listed}) {
      assertThat(shown.path("disclosure").asText()).isEqualTo("summary");
      assertThat(shown.path("args_left_out").asBoolean()).isTrue();
      assertThat(shown.path("left_out").toString())
          .isEqualTo("[\"/card_number\",\"/items/0/iban\"]");
      assertThat(shown.at("/args/amount").asInt()).isEqualTo(7);
      assertThat(shown.at("/args/card_number"))
          .isEqualTo(Json.of("redacted", true, "kind", "string"));
      assertThat(shown.at("/args/items/1/n").asInt()).isEqualTo(2);
      assertThat(shown.path("args_digest").asText()).isEqualTo(held.answer().text("/args_digest"));
    }
    assertThat(held.read().at("/left_out").toString()).isEqualTo("[]");
    assertThat(held.read().text("/disclosure")).isEqualTo("full");
  }

  @Test
  void ofATheDigestAndAPreferenceTheLesserIsShown() {
    for (ObjectNode proposal :
        new ObjectNode[] {
          proposal("secretive", "secret", CANARY),
          proposal("act", "sealed", CANARY),
          preferring("digest", card()),
          preferring("summary", proposal("secretive", "secret", CANARY)),
          preferring("full", proposal("secretive", "secret", CANARY)),
        }) {
      Held held = held(proposal);
      nothingShows(held);
      Got seen = ownAlice.get(held.path()).is(200);
      assertThat(seen.text("/disclosure")).isEqualTo("digest");
      assertThat(seen.at("/args").isNull()).isTrue();
      assertThat(seen.at("/left_out").toString()).isEqualTo("[\"\"]");
    }
  }

  @Test
  void redactionsOfToolAndRulesAreUnited() {
    ObjectNode proposal = card();
    ((ObjectNode) proposal.path("args")).put("partly", CANARY);
    Held held = held(proposal);
    nothingShows(held);
    assertThat(ownAlice.get(held.path()).at("/left_out").toString())
        .isEqualTo("[\"/card_number\",\"/items/0/iban\",\"/partly\"]");
    Held plain = held(preferring("summary", proposal("act", "n", CANARY)));
    assertThat(ownAlice.get(plain.path()).at("/args"))
        .isEqualTo(Json.of("n", "string", "rule", "string"));
  }

  @Test
  void anEarlierGenerationIsShownAsItsOwnRulingsAllowAndNotAsALaterOneIs() {
    Held held = held(card());
    Got edited =
        ownAgent.post(
            held.path() + "/edit",
            Json.of("generation", 1, "tool", "act", "args", Json.of("rule", "human", "n", 3)));
    var _ = edited.is(202);
    Got history = ownAlice.get(held.path() + "/history").is(200);
    assertThat(history.text()).doesNotContain(CANARY).contains("\"n\":3");
    assertThat(ownAlice.get(held.path()).text("/disclosure")).isEqualTo("full");
    assertThat(held.history().toString()).contains(CANARY);
  }

  @Test
  void aResultIsShownToNobodyWhoDoesNotSeeTheArguments() {
    Held held = held(card());
    var _ = held.approve(ownAlice).is(202);
    var _ = held.delivery();
    assertThat(held.read().at("/result/content").isMissingNode()).isFalse();
    Got seen = ownAlice.get(held.path()).is(200);
    assertThat(seen.at("/result/content").isMissingNode()).isTrue();
    assertThat(seen.at("/result/content_left_out").asBoolean()).isTrue();
    JsonNode history = ownAlice.get(held.path() + "/history").is(200).json();
    assertThat(history.findValues("content")).isEmpty();
    assertThat(history.toString()).doesNotContain(CANARY);
  }

  @Test
  void whatTheTrueArgumentsAreSaysTheListAndNotTheMarker() {
    JsonNode marker = Json.of("redacted", true, "kind", "string");
    Held held = held(proposal("pay_by_card", "note", marker, "card_number", marker));
    Got seen = ownAlice.get(held.path()).is(200);
    assertThat(seen.at("/left_out").toString()).isEqualTo("[\"/card_number\"]");
    assertThat(seen.at("/args/note")).isEqualTo(marker);
    assertThat(seen.text("/args/card_number/kind")).isEqualTo("object");
  }

  @Test
  void aWaitingCallIsShownAsTheNewPolicyAllows() {
    OwnOrganization changing = new OwnOrganization(node, ownOrganization());
    Held held = propose(changing.as("agent"), proposal("act", "rule", "human", "secret", CANARY));
    Caller witness = changing.as("alice");
    assertThat(witness.get(held.path()).text()).contains(CANARY);
    changing.change(
        "hides",
        document(
            "{\"id\":\"hides\",\"tools\":[\"act\"],\"verdict\":\"DEFER\",\"disclosure\":\"digest\"}"));
    String list = "/held?session_id=" + held.sessionId();
    Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(() -> !witness.get(list).is(200).text().contains(CANARY));
    assertThat(witness.get(held.path()).text()).doesNotContain(CANARY);
    assertThat(witness.get(held.path() + "/history").is(200).text()).doesNotContain(CANARY);
    assertThat(held.read().text("/contract/digest"))
        .isEqualTo(held.answer().text("/contract/digest"));
  }

  @Test
  void aPolicyChangeThatDoesNotMatterLeavesTheListAsItWas() {
    OwnOrganization changing = new OwnOrganization(node, ownOrganization());
    Held held = propose(changing.as("agent"), proposal("act", "rule", "human", "secret", CANARY));
    changing.change("other", document(OwnOrganization.rule("other", "look", "ci")));
    Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () ->
                changing
                    .as("alice")
                    .get("/held?session_id=" + held.sessionId())
                    .at("/items/0/presentation/args/secret")
                    .asText()
                    .equals(CANARY));
    assertThat(held.read().at("/status/policy_epoch_checked").asLong()).isEqualTo(changing.epoch());
  }

  @Test
  void aConditionThatFailsSaysNoArgument() {
    OwnOrganization changing = new OwnOrganization(node, ownOrganization());
    ObjectNode proposal = proposal("by_client", "rule", "human", "secret", CANARY);
    Held held = propose(changing.as("agent"), proposal);
    var _ = held.approve(changing.as("alice")).is(202);
    changing.change(
        "hides",
        document(
            "{\"id\":\"fails\",\"tools\":[\"by_client\"],\"when\":\"int(args.secret) > 1\","
                + "\"verdict\":\"DENY\",\"redact\":[\"/secret\"]}"));
    var _ = held.until("/status/lifecycle", "denied");
    Caller witness = changing.as("alice");
    for (Got got : new Got[] {witness.get(held.path()), witness.get(held.path() + "/history")}) {
      assertThat(got.is(200).text()).doesNotContain(CANARY);
    }
  }
}
