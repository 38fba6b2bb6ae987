package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.AttestationReceipt;
import dev.heldcall.kernel.api.AttestationReceipt.Disposition;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttestTest {

  private static final String PATH = "/held/" + SampleCall.HELD_ID + "/attestations";

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

  private static ObjectNode attestation() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("attestation_id", "a-1");
    node.put("generation", 1);
    node.put("call_digest", "sha256:" + "1".repeat(64));
    node.put("contract_digest", "sha256:" + "2".repeat(64));
    node.put("witness_class", "human");
    node.put("decision", "approve");
    node.put("issued_at", "2030-01-31T13:00:00+01:00");
    node.put("expires_at", "2030-01-31T12:10:00.5Z");
    return node;
  }

  private Got attest(ObjectNode body) throws Exception {
    return gateway.post(PATH, "dev-alice", body.toString());
  }

  @Test
  void an_attestation_reaches_the_kernel_as_given() throws Exception {
    gateway.kernel.succeeds(
        "attest",
        new AttestationReceipt(
            Disposition.ACCEPTED_FOR_VERIFICATION, SampleCall.HELD_ID, "a-1", "bound"));
    ObjectNode body = attestation();
    body.put("reason", "checked\nthe invoice");
    body.putObject("evidence").put("type", "invoice").put("uri", "https://x/1");

    Got got = attest(body);

    assertThat(got.status()).isEqualTo(202);
    assertThat(got.json().path("disposition").asText()).isEqualTo("accepted-for-verification");
    assertThat(got.json().path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
    assertThat(got.json().path("attestation_id").asText()).isEqualTo("a-1");
    assertThat(got.json().path("reason").asText()).isEqualTo("bound");
    Attestation given = gateway.kernel.only("attest").argument(2, Attestation.class);
    assertThat(given.decision()).isEqualTo(AttestationDecision.APPROVE);
    assertThat(given.issuedAt()).isEqualTo(Instant.parse("2030-01-31T12:00:00Z"));
    assertThat(given.expiresAt()).isEqualTo(Instant.parse("2030-01-31T12:10:00.500Z"));
    assertThat(given.reason()).isEqualTo("checked\nthe invoice");
    assertThat(String.valueOf(given.evidence()))
        .isEqualTo("{\"type\":\"invoice\",\"uri\":\"https://x/1\"}");
    assertThat(given.signature()).isNull();
  }

  @Test
  void a_duplicate_answers_200() throws Exception {
    gateway.kernel.succeeds(
        "attest",
        new AttestationReceipt(Disposition.DUPLICATE, SampleCall.HELD_ID, "a-1", "before"));

    Got got = attest(attestation());

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("disposition").asText()).isEqualTo("duplicate");
  }

  @ParameterizedTest
  @CsvSource({
    "STALE, 409, stale, stale",
    "EFFECT_DISPATCHED, 409, stale, stale",
    "NOT_OPEN, 409, stale, stale",
    "ATTESTATION_CONFLICT, 409, attestation-conflict, invalid",
    "INVALID, 422, invalid, invalid",
    "FORBIDDEN, 403, forbidden, invalid",
    "TOO_MANY_REFUSALS, 429, too-many-refusals, invalid"
  })
  void a_refusal_says_what_became_of_the_word(
      Problem problem, int status, String slug, String disposition) throws Exception {
    gateway.kernel.refuses("attest", problem);

    Got got = attest(attestation());

    assertThat(got.status()).isEqualTo(status);
    assertThat(got.slug()).isEqualTo(slug);
    assertThat(got.json().path("disposition").asText()).isEqualTo(disposition);
    assertThat(got.json().path("held_id").asText()).isEqualTo(SampleCall.HELD_ID);
    assertThat(got.json().path("attestation_id").asText()).isEqualTo("a-1");
    assertThat(got.json().path("reason").asText()).isEqualTo("scripted");
  }

  @Test
  void of_a_call_that_is_not_there_nothing_is_said() throws Exception {
    gateway.kernel.refuses("attest", Problem.NOT_FOUND);

    Got got = attest(attestation());

    assertThat(got.status()).isEqualTo(404);
    assertThat(got.json().has("disposition")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "attestation_id",
    "generation",
    "call_digest",
    "contract_digest",
    "witness_class",
    "decision",
    "issued_at",
    "expires_at"
  })
  void a_missing_field_is_refused_on_record(String field) throws Exception {
    gateway.kernel.refuses("refuseAttestation", Problem.INVALID);
    ObjectNode body = attestation();
    body.remove(field);

    Got got = attest(body);

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.slug()).isEqualTo("invalid");
    assertThat(got.json().path("disposition").asText()).isEqualTo("invalid");
    assertThat(got.json().path("errors").get(0).path("pointer").asText()).isEqualTo("/" + field);
    Object id = gateway.kernel.only("refuseAttestation").argument(2);
    assertThat(id).isEqualTo(field.equals("attestation_id") ? null : "a-1");
  }

  @ParameterizedTest
  @CsvSource({
    "generation, 0",
    "generation, 1.5",
    "call_digest, sha256:00",
    "call_digest, SHA256:1111111111111111111111111111111111111111111111111111111111111111",
    "decision, approved",
    "decision, APPROVE",
    "witness_class, ''",
    "issued_at, yesterday",
    "expires_at, 2030-01-31",
    "expires_at, 2030-02-30T00:00:00Z",
    "expires_at, 2030-01-31T12:00Z",
    "expires_at, never"
  })
  void a_malformed_field_is_refused_on_record_and_never_defaulted(String field, String value)
      throws Exception {
    gateway.kernel.refuses("refuseAttestation", Problem.INVALID);
    ObjectNode body = attestation();
    if (value.matches("[0-9.]+")) {
      body.put(field, new java.math.BigDecimal(value));
    } else {
      body.put(field, value);
    }

    Got got = attest(body);

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.json().path("errors").get(0).path("pointer").asText()).isEqualTo("/" + field);
    assertThat(gateway.kernel.asked("attest")).isEmpty();
  }

  @Test
  void an_unreadable_attestation_of_somebody_else_is_forbidden() throws Exception {
    gateway.kernel.refuses("refuseAttestation", Problem.FORBIDDEN);

    Got got = gateway.post(PATH, "dev-agent", "{}");

    assertThat(got.status()).isEqualTo(403);
    assertThat(got.slug()).isEqualTo("forbidden");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"approved\":true}", "{\"evidence\":{\"kind\":\"x\"}}"})
  void an_unknown_field_is_refused_before_anything(String extra) throws Exception {
    ObjectNode body = attestation();
    body.setAll((ObjectNode) new com.fasterxml.jackson.databind.json.JsonMapper().readTree(extra));

    Got got = attest(body);

    assertThat(got.status()).isEqualTo(422);
    assertThat(got.slug()).isEqualTo("unknown-field");
    assertThat(got.json().path("disposition").asText()).isEqualTo("invalid");
    assertThat(gateway.kernel.untouched()).isTrue();
  }

  @Test
  void a_revocation_may_have_no_body() throws Exception {
    gateway.kernel.succeeds(
        "revoke", new AttestationReceipt(Disposition.REVOKED, SampleCall.HELD_ID, "a/1", "gone"));

    Got got =
        gateway.send(
            gateway
                .request(PATH + "/a%2F1/revoke", "dev-alice")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody())
                .build());

    assertThat(got.status()).isEqualTo(200);
    assertThat(got.json().path("disposition").asText()).isEqualTo("revoked");
    assertThat(gateway.kernel.only("revoke").argument(2)).isEqualTo("a/1");
    assertThat(gateway.kernel.only("revoke").argument(3)).isNull();
  }

  @Test
  void a_revocation_has_a_reason_and_may_be_too_late() throws Exception {
    gateway.kernel.refuses("revoke", Problem.TOO_LATE);

    Got got = gateway.post(PATH + "/a-1/revoke", "dev-alice", "{\"reason\":\"wrong account\"}");

    assertThat(got.status()).isEqualTo(409);
    assertThat(got.slug()).isEqualTo("too-late");
    assertThat(gateway.kernel.only("revoke").argument(3)).isEqualTo("wrong account");
  }
}
