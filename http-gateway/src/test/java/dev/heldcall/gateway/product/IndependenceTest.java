package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may witness for whom, and what is evidence at all (the design, invariant 3). */
@ParameterizedClass
@EnumSource(Engine.class)
class IndependenceTest extends ProductTest {

  private static final String INVOICE = "https://shop.example/invoices/77";

  IndependenceTest(Engine engine) {
    super(engine);
  }

  private Held held(String rule) {
    return propose(agent, proposal("by_client", "rule", rule));
  }

  /** Refused with this reason, which is on record and shown, and nothing came of it. */
  private static void assertRefused(Held held, Got got, String reason) {
    assertThat(got.isProblem(422, "invalid").text("/reason")).isEqualTo(reason);
    Got call = held.read();
    JsonNode refusals = call.at("/status/refusals");
    JsonNode last = refusals.path(refusals.size() - 1);
    assertThat(last.path("reason").asText()).isEqualTo(reason);
    assertThat(last.path("disposition").asText()).isEqualTo("invalid");
    assertThat(last.path("at").asText()).endsWith("Z");
    assertThat(call.at("/status/refused_attestations").asInt()).isEqualTo(refusals.size());
    assertThat(call.at("/status/refusals_left_out").asInt()).isZero();
    assertThat(held.events("attestation-refused")).isEqualTo(refusals.size());
    assertThat(held.history().toString()).contains(reason);
    assertThat(call.at("/status/evidence")).isEmpty();
  }

  @Test
  void neitherTheProposerNorAnybodyOnItsSideWitnesses() {
    Held own = propose(as("both"), proposal("by_client", "rule", "human"));
    assertRefused(own, own.approve(as("both")), "not independent: the witness proposed the call");
    Held held = held("human");
    assertRefused(
        held,
        held.approve(as("delegate")),
        "not independent: the witness is the proposer's delegate");
    Held bosss = propose(as("bosss-agent"), proposal("by_client", "rule", "human"));
    assertRefused(
        bosss,
        bosss.approve(as("boss")),
        "not independent: the proposer is the witness's delegate");
    assertRefused(
        bosss,
        bosss.approve(as("bosss-bot")),
        "not independent: witness and proposer are delegates of one principal");
    assertThat(bosss.read().at("/explain").toString())
        .contains("alice", "bob")
        .doesNotContain("boss");
  }

  @Test
  void anotherModelFamilyMustBeKnownToBeAnother() {
    Held held = propose(as("model"), proposal("by_client", "rule", "other-model"));
    assertThat(held.answer().is(202).at("/explain").toString())
        .contains("peer-model could come from: peer-2,");
    assertRefused(
        held,
        held.attest(as("peer-1"), held.attestation("p-1", "peer-model", "approve")),
        "not independent: witness and proposer are of the model family 'm-1'");
    assertRefused(
        held,
        held.attest(as("peer-x"), held.attestation("p-x", "peer-model", "approve")),
        "not independent: the contract asks for another model family, and none is recorded for"
            + " the witness");
    var _ = held.attest(as("peer-2"), held.attestation("p-2", "peer-model", "approve")).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");

    Held unknown = held("other-model");
    assertRefused(
        unknown,
        unknown.attest(as("peer-2"), unknown.attestation("p-2", "peer-model", "approve")),
        "not independent: the contract asks for another model family than the proposer's, and"
            + " none is recorded for the proposer");
  }

  @Test
  void evidenceThatOnlyEchoesTheProposerIsNone() {
    ObjectNode proposal =
        proposal("by_client", "rule", "human", "invoice", INVOICE, "note", "all is well");
    proposal.put("continuation_ref", "ckpt://session-1/checkpoint-7");
    Held held = propose(agent, proposal);
    String digest =
        "not independent: the evidence's digest is of what the proposer itself supplied";
    String uri = "not independent: the evidence's uri is what the proposer itself supplied";
    assertRefused(held, with(held, "digest", held.answer().text("/args_digest")), digest);
    assertRefused(held, with(held, "digest", held.answer().text("/call_digest")), digest);
    assertRefused(
        held, with(held, "digest", Digests.sha256("all is well".getBytes(UTF_8)).value()), digest);
    assertRefused(held, with(held, "uri", INVOICE), uri);
    assertRefused(held, with(held, "uri", " ckpt://session-1/checkpoint-7"), uri);
    Got own = with(held, "digest", "sha256:" + "5".repeat(64)).is(202);
    assertThat(own.text("/disposition")).isEqualTo("accepted-for-verification");
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
  }

  private Got with(Held held, String member, String value) {
    ObjectNode attestation = held.attestation("a-1", "human", "approve");
    attestation.set("evidence", Json.of("type", "look", member, value));
    return held.attest(alice, attestation);
  }

  @Test
  void aDenyMayPointAtTheProposersWords() {
    Held held = propose(agent, proposal("by_client", "rule", "lenient", "invoice", INVOICE));
    ObjectNode deny = held.attestation("d-1", "human", "deny");
    deny.set("evidence", Json.of("type", "link", "uri", INVOICE));
    var _ = held.attest(alice, deny).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("refuted");
  }

  @Test
  void twoTokensOfOnePersonAreOnePerson() {
    Held held = held("two");
    var _ = held.approve(alice).is(202);
    var _ = held.approve(as("alice-again")).is(202);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(call.text("/explain/0")).isEqualTo("waiting for: human (1 of 2)");
    assertThat(call.text("/explain/1")).startsWith("human is there from: alice (until ");
    assertThat(call.text("/explain/2")).contains("bob", ", until " + call.text("/expires_at"));
    var _ = held.lease(agent).isProblem(409, "not-ready");
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
  }

  @Test
  void onePersonUnderTwoClassesIsOneWhereIdentitiesMustBeDistinct() {
    Caller again = as("alice-again");
    Held held = held("distinct-both");
    var _ = held.attest(again, held.attestation("a-1", "human", "approve")).is(202);
    var _ = held.attest(again, held.attestation("a-2", "ci", "approve")).is(202);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(call.text("/explain/0")).startsWith("waiting for: another identity");
    assertThat(call.at("/explain").toString()).contains("ci could come from: ci,");
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
  }

  @Test
  void aPersonAndItsDelegateAreOneWhereIdentitiesMustBeDistinct() {
    Held held = held("distinct-two");
    var _ = held.approve(as("alices-bot")).is(202);
    var _ = held.approve(alice).is(202);
    Got call = held.read();
    assertThat(call.text("/status/readiness")).isEqualTo("unsatisfied");
    assertThat(call.at("/explain").toString()).contains("counted as one: alice, alices-bot");
    var _ = held.approve(bob).is(202);
    assertThat(held.read().text("/status/readiness")).isEqualTo("satisfied");
    Held plain = held("two");
    var _ = plain.approve(as("alices-bot")).is(202);
    var _ = plain.approve(alice).is(202);
    assertThat(plain.read().text("/status/readiness")).isEqualTo("satisfied");
  }
}
