package dev.heldcall.witness.webhook;

import static dev.heldcall.witness.FactRequests.NOW;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Asked;
import dev.heldcall.witness.Counterpart.Said;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests go out signed and bound, and only what the service signs for a known person comes in.
 *
 * <p>It is over the usual size so that both ways are on one page.
 */
class WebhookProviderTest {

  private static final String SECRET = StandardWebhooks.SECRET;
  private static final WitnessRequest REQUEST = asking("{'to':'acct-2','amount_minor':125000}");

  private final Counterpart service = Counterpart.start();
  private WitnessProvider provider = opened();

  private WitnessProvider opened() {
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'people':{'U1':{'id':'alice'},'U2':{'id':'bob','project':'finance'}},"
                    + "'remind':['5m','1h']}");
    settings.put("url", service.url() + "/hook").put("secret", SECRET);
    try {
      return new WebhookType().create(contract("webhook"), settings, services());
    } catch (dev.heldcall.plugin.api.InvalidProviderSettings e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    provider.close();
    service.close();
  }

  @Nested
  class Outgoing {

    private Asked sent(String type, String id) {
      Asked sent = service.last();
      assertThat(StandardWebhooks.isSigned(SECRET, sent)).isTrue();
      assertThat(sent.method()).isEqualTo("POST");
      assertThat(sent.uri()).isEqualTo("/hook");
      assertThat(sent.headers())
          .containsEntry("webhook-id", id)
          .containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond()))
          .containsEntry("content-type", "application/json");
      assertThat(sent.json().path("type").asText()).isEqualTo(type);
      assertThat(sent.json().path("timestamp").asText())
          .isEqualTo(NOW.truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString());
      return sent;
    }

    @Test
    void aRequestSaysAllThatAnAnswerIsBoundTo() {
      WitnessAnswer answer = ask(provider, REQUEST);
      assertThat(answer)
          .isInstanceOfSatisfying(
              WitnessAnswer.Waiting.class,
              waiting -> assertThat(waiting.reference()).isEqualTo(REQUEST.requestId()));
      JsonNode data = sent("witness.requested", REQUEST.requestId()).json().path("data");
      assertThat(data.path("bindings"))
          .isEqualTo(
              json(
                  "{'request_id':'hc_test.1.facts','held_id':'hc_test','generation':1,"
                      + "'call_digest':'"
                      + REQUEST.callDigest()
                      + "','contract_digest':'"
                      + REQUEST.contractDigest()
                      + "','witness_class':'facts'}"));
      assertThat(data.path("call").path("args")).isEqualTo(REQUEST.args());
      assertThat(data.path("call").path("args_digest").asText())
          .isEqualTo(REQUEST.argsDigest().value());
      assertThat(data.path("call").path("expires_at").asText())
          .isEqualTo("2026-12-01T13:00:00.123456Z");
      assertThat(data.path("answer_to").asText()).isEqualTo("/witnesses/facts/incoming");
      assertThat(data.has("link")).isTrue();
    }

    @Test
    void whatIsNotDisclosedDoesNotLeave() {
      ask(provider, hiding("{'to':'acct-2','iban':'redacted'}", "/iban"));
      JsonNode call = service.last().json().path("data").path("call");
      assertThat(call.path("disclosure").asText()).isEqualTo("summary");
      assertThat(call.path("left_out")).isEqualTo(json("['/iban']"));
      ask(provider, digestOnly());
      call = service.last().json().path("data").path("call");
      assertThat(call.path("args").isNull()).isTrue();
      assertThat(call.path("left_out")).isEqualTo(json("['']"));
      assertThat(call.path("args_digest").asText()).startsWith("sha256:");
    }

    @Test
    void theSameRequestHasTheSameId() {
      ask(provider, REQUEST);
      ask(provider, REQUEST);
      assertThat(service.asked())
          .extracting(each -> each.headers().get("webhook-id"))
          .containsExactly(REQUEST.requestId(), REQUEST.requestId());
    }

    @ParameterizedTest
    @CsvSource({
      "400,false",
      "401,false",
      "404,false",
      "410,false",
      "302,false",
      "408,true",
      "425,true",
      "429,true",
      "500,true",
      "503,true"
    })
    void aStatusSaysWhetherToTryAgain(int status, boolean again) {
      service.answers(
          _ -> new Said(status, Map.of("Location", service.url() + "/elsewhere"), "s3cret words"));
      assertThat(unavailable(ask(provider, REQUEST), again))
          .contains(Integer.toString(status))
          .doesNotContain("s3cret");
      assertThat(service.asked()).hasSize(1);
    }

    @Test
    void remindersAndWithdrawalsAreMessagesOfTheirOwn() {
      assertThat(provider.remindBefore())
          .containsExactly(Duration.ofHours(1), Duration.ofMinutes(5));
      provider.remind(REQUEST, REQUEST.requestId()).toCompletableFuture().join();
      Asked reminder =
          sent("witness.reminder", REQUEST.requestId() + ".reminder." + NOW.getEpochSecond());
      assertThat(reminder.json().path("data").path("bindings").path("call_digest").asText())
          .isEqualTo(REQUEST.callDigest().value());
      provider.withdraw(withdrawal()).toCompletableFuture().join();
      Asked over = sent("witness.withdrawn", REQUEST.requestId() + ".withdrawn");
      assertThat(over.json().path("data"))
          .isEqualTo(
              json(
                  "{'request_id':'hc_test.1.facts','held_id':'hc_test','tool':'money_transfer',"
                      + "'reason':'it is denied'}"));
    }

    @Test
    void aWithdrawalIsRepeatedOnlyWhereThatHelps() {
      service.answers(_ -> Said.status(503, ""));
      assertThatThrownBy(() -> provider.withdraw(withdrawal()).toCompletableFuture().join())
          .hasMessageContaining("503");
      service.answers(_ -> Said.status(410, ""));
      provider.withdraw(withdrawal()).toCompletableFuture().join();
    }

    private WitnessWithdrawal withdrawal() {
      return new WitnessWithdrawal(
          REQUEST.requestId(),
          REQUEST.heldId(),
          REQUEST.tool(),
          REQUEST.requestId(),
          "it is denied");
    }
  }

  @Nested
  class Incoming {

    private IncomingWitness post(JsonNode body) {
      return provider.incoming(
          StandardWebhooks.message(SECRET, "msg_1", NOW.minusSeconds(10), body.toString()));
    }

    private IncomingWitness.Vote vote(JsonNode body) {
      IncomingWitness meant = post(body);
      assertThat(meant).isInstanceOf(IncomingWitness.Vote.class);
      return (IncomingWitness.Vote) meant;
    }

    private String refused(IncomingWitness meant, int status) {
      assertThat(meant).isInstanceOf(IncomingWitness.Answered.class);
      return text(((IncomingWitness.Answered) meant).reply(), status);
    }

    private String text(IncomingReply reply, int status) {
      assertThat(reply.status()).isEqualTo(status);
      return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Test
    void aPersonsWordIsAnAttestationAsThatPersonBoundIt() {
      IncomingWitness.Vote vote = vote(StandardWebhooks.vote(REQUEST, "U2", "approve"));
      assertThat(vote.heldId()).isEqualTo("hc_test");
      assertThat(vote.witness()).isEqualTo(new PrincipalRef("acme", "finance", "bob"));
      Attestation said = vote.attestation();
      assertThat(said.decision()).isEqualTo(AttestationDecision.APPROVE);
      assertThat(said.generation()).isEqualTo(1);
      assertThat(said.callDigest()).isEqualTo(REQUEST.callDigest());
      assertThat(said.contractDigest()).isEqualTo(REQUEST.contractDigest());
      assertThat(said.witnessClass()).isEqualTo("facts");
      assertThat(said.reason()).isEqualTo("checked the invoice");
      assertThat(said.issuedAt().toString()).isEqualTo("2026-12-01T11:59:40.123Z");
      assertThat(said.expiresAt()).isEqualTo(said.issuedAt().plus(Duration.ofHours(1)));
      assertThat(said.signature()).isNull();
    }

    @Test
    void theSameWordIsOneAttestationAndAnyOtherIsAnother() {
      ObjectNode body = StandardWebhooks.vote(REQUEST, "U1", "approve");
      String id = vote(body).attestation().attestationId();
      IncomingWitness.Vote retried =
          (IncomingWitness.Vote)
              provider.incoming(StandardWebhooks.message(SECRET, "msg_1", NOW, body.toString()));
      assertThat(retried.attestation()).isEqualTo(vote(body).attestation());
      for (JsonNode other :
          List.of(
              StandardWebhooks.vote(REQUEST, "U2", "approve"),
              StandardWebhooks.vote(REQUEST, "U1", "deny"),
              body.deepCopy().put("generation", 2),
              body.deepCopy().put("held_id", "hc_other"),
              body.deepCopy().put("reason", "again"),
              body.deepCopy().put("contract_digest", REQUEST.callDigest().value()),
              body.deepCopy().put("issued_at", NOW.toString()))) {
        assertThat(vote(other).attestation().attestationId()).isNotEqualTo(id);
      }
      assertThat(vote(body.put("attestation_id", "a-1")).attestation().attestationId())
          .isEqualTo("a-1");
    }

    /**
     * Whether it is of the call that stands is the verifier's to say, by exactly these bindings.
     */
    @Test
    void aWordForAnotherCallKeepsTheOtherCallsBindings() {
      ObjectNode other = StandardWebhooks.vote(REQUEST, "U1", "approve");
      other.put("call_digest", "sha256:" + "0".repeat(64));
      assertThat(vote(other).attestation().callDigest().value())
          .isEqualTo("sha256:" + "0".repeat(64));
    }

    @Test
    void somebodyUnknownIsPutOnRecordAndAnswered() {
      IncomingWitness meant = post(StandardWebhooks.vote(REQUEST, "U9\u202e\n", "approve"));
      assertThat(meant).isInstanceOf(IncomingWitness.Refused.class);
      IncomingWitness.Refused refused = (IncomingWitness.Refused) meant;
      assertThat(refused.heldId()).isEqualTo("hc_test");
      assertThat(refused.reason())
          .isEqualTo("by way of facts: nobody is configured under the name 'U9 '");
      assertThat(text(refused.reply(), 403)).contains("nobody is configured under the name");
    }

    @Test
    void anotherSecretAndAnOldMessageAreNotHeard() {
      String body = StandardWebhooks.vote(REQUEST, "U1", "approve").toString();
      String other = "whsec_" + "QUJD".repeat(8);
      assertThat(refused(provider.incoming(StandardWebhooks.message(other, "m", NOW, body)), 401))
          .contains("no signature");
      for (long seconds : new long[] {-301, 301}) {
        assertThat(
                refused(
                    provider.incoming(
                        StandardWebhooks.message(SECRET, "m", NOW.plusSeconds(seconds), body)),
                    401))
            .contains("webhook-timestamp");
      }
    }

    /** What this node itself signed and sent is no answer. */
    @Test
    void itsOwnRequestComesBackAsNothing() {
      ask(provider, REQUEST);
      assertThat(
              refused(
                  provider.incoming(
                      StandardWebhooks.message(SECRET, "m", NOW, service.last().body())),
                  400))
          .contains("held_id");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "held_id|null|held_id: expected a text",
          "generation|0|generation: expected a whole number from 1",
          "generation|1.0|generation: expected",
          "call_digest|~sha256:C~|call_digest: expected",
          "contract_digest|7|contract_digest: expected",
          "witness|[~U1~]|witness: expected",
          "decision|~Approve~|decision: expected approve or deny",
          "decision|true|decision: expected approve or deny",
          "issued_at|~yesterday~|issued_at: expected an RFC 3339 time",
          "reason|~\\ud800~|reason: expected a text without",
          "witness_class|~human~|witness_class: expected only the fields"
        })
    void aMistakeIsNamedWithItsPlace(String field, String value, String expected) {
      ObjectNode body = StandardWebhooks.vote(REQUEST, "U1", "approve");
      String json = body.put(field, "@").toString();
      String wrong = json.replace("\"@\"", value.replace('~', '"'));
      assertThat(refused(provider.incoming(StandardWebhooks.message(SECRET, "m", NOW, wrong)), 400))
          .contains(expected);
    }

    @Test
    void whatIsNoJsonIsSaidWhere() {
      assertThat(
              refused(
                  provider.incoming(
                      StandardWebhooks.message(SECRET, "m", NOW, "{\"a\":1,\n \"a\":2}")),
                  400))
          .contains("line 2, column");
      String large = "{\"a\":\"" + "x".repeat(300_000) + "\"}";
      refused(provider.incoming(StandardWebhooks.message(SECRET, "m", NOW, large)), 413);
    }

    @ParameterizedTest
    @CsvSource({
      "ACCEPTED,202,accepted-for-verification",
      "DUPLICATE,200,duplicate",
      "STALE,409,stale",
      "INVALID,422,invalid",
      "UNAVAILABLE,503,unavailable"
    })
    void theServiceIsToldWhatBecameOfIt(Disposition disposition, int status, String word) {
      IncomingWitness.Vote vote = vote(StandardWebhooks.vote(REQUEST, "U1", "deny"));
      assertThat(text(vote.reply().apply(new VoteOutcome(disposition, "so it is")), status))
          .contains("\"disposition\":\"" + word + "\"")
          .contains("\"reason\":\"so it is\"")
          .contains("\"held_id\":\"hc_test\"")
          .contains(vote.attestation().attestationId());
    }
  }
}
