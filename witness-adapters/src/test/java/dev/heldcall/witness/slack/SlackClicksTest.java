package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.Vote;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A click is the word of whom the settings name, on the call that the button was made for. */
class SlackClicksTest extends ClickScene {

  @Nested
  class Words {

    @ParameterizedTest
    @CsvSource({"approve,APPROVE", "deny,DENY"})
    void areBoundToWhatTheButtonWasMadeFor(String button, AttestationDecision decision) {
      Vote vote = vote(scene.click(message, ALICE, button));
      assertThat(vote.heldId()).isEqualTo(REQUEST.heldId());
      assertThat(vote.witness()).isEqualTo(new PrincipalRef("acme", "default", "alice"));
      Attestation attestation = vote.attestation();
      assertThat(attestation.decision()).isEqualTo(decision);
      assertThat(attestation.callDigest()).isEqualTo(REQUEST.callDigest());
      assertThat(attestation.contractDigest()).isEqualTo(REQUEST.contractDigest());
      assertThat(attestation.generation()).isEqualTo(REQUEST.generation());
      assertThat(attestation.witnessClass()).isEqualTo("facts");
      assertThat(attestation.attestationId())
          .isEqualTo(REQUEST.requestId() + "." + ALICE + "." + button)
          .hasSizeLessThanOrEqualTo(128);
      assertThat(attestation.reason()).contains(ALICE);
      assertThat(attestation.evidence()).isNull();
    }

    @Test
    void ofSomebodyOfAnotherProjectAreTheirs() {
      assertThat(vote(scene.click(message, "U3KQ9", "deny")).witness())
          .isEqualTo(new PrincipalRef("acme", "finance", "bob"));
    }

    @Test
    void clickedThriceAreOne() {
      Attestation first = vote(scene.click(message, ALICE, "approve")).attestation();
      scene.passes(Duration.ofSeconds(3));
      Attestation second = vote(scene.click(message, ALICE, "approve")).attestation();
      scene.restarts(scene.settings(), SlackScene.TIMEOUT);
      scene.passes(Duration.ofMinutes(20));
      Attestation third = vote(scene.click(message, ALICE, "approve")).attestation();
      assertThat(List.of(second, third)).containsOnly(first);
    }

    @Test
    void deliveredAgainAreTheSame() {
      IncomingMessage click =
          SlackWorkspace.click(
              workspace.payload(message, ALICE, "heldcall_deny", scene.now()), scene.now());
      Attestation first = vote(scene.provider().incoming(click)).attestation();
      scene.passes(Duration.ofMinutes(4));
      assertThat(vote(scene.provider().incoming(click)).attestation()).isEqualTo(first);
    }

    @Test
    void approveThenDenyAreTwo() {
      Attestation approve = vote(scene.click(message, ALICE, "approve")).attestation();
      Attestation deny = vote(scene.click(message, ALICE, "deny")).attestation();
      assertThat(deny.attestationId()).isNotEqualTo(approve.attestationId());
      assertThat(vote(scene.click(message, "U3KQ9", "approve")).attestation().attestationId())
          .isNotEqualTo(approve.attestationId());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 29, 31, 59, 61, 90, 1440, 100_000})
    void countForHalfTheValidityAtLeastAndForNoLongerThanAllOfIt(long minutes) {
      scene.passes(Duration.ofMinutes(minutes));
      Attestation attestation = vote(scene.click(message, ALICE, "approve")).attestation();
      Duration left = Duration.between(scene.now(), attestation.expiresAt());
      assertThat(left).isBetween(Duration.ofMinutes(30), Duration.ofHours(1));
      assertThat(attestation.issuedAt()).isBeforeOrEqualTo(scene.now());
      assertThat(Duration.between(attestation.issuedAt(), attestation.expiresAt()))
          .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void onceRunOutCanBeGivenAnew() {
      Attestation first = vote(scene.click(message, ALICE, "approve")).attestation();
      scene.passes(Duration.ofHours(1));
      Attestation anew = vote(scene.click(message, ALICE, "approve")).attestation();
      assertThat(anew.attestationId()).isNotEqualTo(first.attestationId());
      assertThat(anew.expiresAt()).isAfter(scene.now());
    }
  }

  @Nested
  class Answers {

    @ParameterizedTest
    @CsvSource({
      "ACCEPTED,is taken in",
      "DUPLICATE,it counts once",
      "STALE,too late",
      "INVALID,does not count",
      "UNAVAILABLE,click again"
    })
    void sayWhatBecameOfAClick(Disposition disposition, String words) {
      Vote vote = vote(scene.click(message, ALICE, "approve"));
      IncomingReply reply = vote.reply().apply(new VoteOutcome(disposition, "<!here> & why"));
      assertThat(reply.status()).isEqualTo(200);
      JsonNode said = json(text(reply));
      assertThat(said.path("response_type").asText()).isEqualTo("ephemeral");
      assertThat(said.path("replace_original").isBoolean()).isTrue();
      assertThat(said.path("replace_original").booleanValue()).isFalse();
      assertThat(said.path("text").asText()).contains(words, "&lt;!here&gt; &amp; why");
      Awaitility.await().untilAsserted(() -> assertThat(workspace.told()).containsExactly(said));
    }

    @Test
    void somebodyWhomNobodyKnowsIsAnsweredAndPutOnRecord() {
      IncomingWitness incoming = scene.click(message, "U9STRANGER", "approve");
      assertThat(incoming)
          .isInstanceOfSatisfying(
              IncomingWitness.Refused.class,
              refused -> {
                assertThat(refused.heldId()).isEqualTo(REQUEST.heldId());
                assertThat(refused.reason()).contains("facts", "U9STRANGER");
                assertThat(refused.reply().status()).isEqualTo(200);
                assertThat(json(text(refused.reply())).path("text").asText())
                    .contains("does not count", "U9STRANGER");
              });
      Awaitility.await().untilAsserted(() -> assertThat(workspace.told()).hasSize(1));
    }

    @Test
    void anotherWorkspacesPeopleAreNobody() {
      scene.restarts(scene.settings().put("team", "T1DC2JH3J"), SlackScene.TIMEOUT);
      vote(scene.click(message, ALICE, "approve"));
      assertThat(changed(payload -> ((ObjectNode) payload.path("user")).put("team_id", "T0OTHER")))
          .isInstanceOf(IncomingWitness.Refused.class);
      assertThat(
              changed(
                  payload -> {
                    ((ObjectNode) payload.path("user")).remove("team_id");
                    payload.remove("team");
                  }))
          .isInstanceOf(IncomingWitness.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "http://localhost:PORT/actions/x",
          "http://user@127.0.0.1:PORT/actions/x",
          "https://127.0.0.1:PORT/actions/x",
          "http://127.0.0.1/actions/x",
          "//127.0.0.1:PORT/actions/x",
          "no url at all"
        })
    void goNowhereButToSlack(String url) {
      String port = workspace.server().url().replaceFirst(".*:", "");
      IncomingWitness elsewhere =
          changed(payload -> payload.put("response_url", url.replace("PORT", port)));
      assertThat(reply(elsewhere, "elsewhere").status()).isEqualTo(200);
      assertThat(reply(changed(payload -> {}), "to Slack").status()).isEqualTo(200);
      Awaitility.await().untilAsserted(() -> assertThat(workspace.told()).isNotEmpty());
      assertThat(workspace.told())
          .singleElement()
          .satisfies(told -> assertThat(told.path("text").asText()).contains("to Slack"));
    }

    private static IncomingReply reply(IncomingWitness incoming, String why) {
      return vote(incoming).reply().apply(new VoteOutcome(Disposition.ACCEPTED, why));
    }
  }
}
