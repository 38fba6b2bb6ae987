package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Vote;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is forged, stale, malformed or of no interest moves nothing. */
class SlackRefusalsTest extends ClickScene {

  private static IncomingReply answered(IncomingWitness incoming, int status) {
    assertThat(incoming).isInstanceOf(IncomingWitness.Answered.class);
    IncomingReply reply = ((IncomingWitness.Answered) incoming).reply();
    assertThat(reply.status()).isEqualTo(status);
    return reply;
  }

  private static ObjectNode action(ObjectNode payload) {
    return (ObjectNode) payload.path("actions").path(0);
  }

  @Test
  void ofForgedAndStaleClicks() {
    ObjectNode payload = workspace.payload(message, ALICE, "heldcall_approve", scene.now());
    String body = text(SlackWorkspace.click(payload, scene.now()));
    Instant now = scene.now();
    answered(
        scene.provider().incoming(SlackWorkspace.signed(body, now, "another-secret-00000")), 401);
    answered(
        scene
            .provider()
            .incoming(SlackWorkspace.click(payload, now.minus(Duration.ofSeconds(301)))),
        401);
    answered(
        scene.provider().incoming(SlackWorkspace.click(payload, now.plus(Duration.ofSeconds(302)))),
        401);
    IncomingMessage click = SlackWorkspace.click(payload, now);
    vote(scene.provider().incoming(click));
    scene.passes(Duration.ofMinutes(6));
    answered(scene.provider().incoming(click), 401);
    assertThat(workspace.told()).isEmpty();
  }

  private static String text(IncomingMessage message) {
    return new String(message.body(), StandardCharsets.UTF_8);
  }

  @Test
  void anotherCallsValueIsNotThisButtons() {
    answered(
        changed(
            payload ->
                action(payload)
                    .put(
                        "value",
                        action(payload)
                            .path("value")
                            .asText()
                            .replace("hc_test.1.facts", "hc_other.1.facts"))),
        400);
  }

  /** It stays bound to the call that it names: the kernel compares the digests. */
  @Test
  void aValueIsNotBoundToWhatItDoesNotSay() {
    String other = "sha256:" + "e".repeat(64);
    Vote vote =
        vote(
            changed(
                payload ->
                    action(payload)
                        .put(
                            "value",
                            action(payload)
                                .path("value")
                                .asText()
                                .replace(REQUEST.callDigest().value(), other))));
    assertThat(vote.attestation().callDigest().value()).isEqualTo(other);
  }

  @Test
  void theOtherButtonsValueIsNotThisOnes() {
    answered(
        changed(
            payload ->
                action(payload)
                    .put(
                        "value",
                        action(payload).path("value").asText().replace("approve", "deny"))),
        400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "approve",
        "{}",
        "{\"decision\":\"approve\"}",
        "[1]",
        "{\"held_id\":\"../admin\"}"
      })
  void anythingElseIsNoValue(String value) {
    answered(changed(payload -> action(payload).put("value", value)), 400);
  }

  @Test
  void aValueWithMoreInItIsNone() {
    answered(
        changed(
            payload -> {
              ObjectNode value = (ObjectNode) json(action(payload).path("value").asText());
              action(payload).put("value", value.put("validity", "10d").toString());
            }),
        400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payload=", "payload=%7B%7D&payload=%7B%7D", "text=%7B%7D", "payload=%7", "payload=%zz%7D",
        "payload=%FF%FE", "payload=%7B%22type%22%3A1%2C%22type%22%3A2%7D", "{", "{}{}", "x"
      })
  void whatIsNoPayloadIsMalformed(String body) {
    answered(
        scene.provider().incoming(SlackWorkspace.signed(body, scene.now(), SlackWorkspace.SECRET)),
        400);
  }

  @Test
  void aClickWithoutTimesOrUserIsMalformed() {
    answered(changed(payload -> payload.remove("container")), 400);
    answered(changed(payload -> action(payload).put("action_ts", "now")), 400);
    answered(changed(payload -> action(payload).put("action_ts", "1.000000")), 400);
    answered(changed(payload -> payload.remove("user")), 400);
    answered(
        changed(
            payload -> {
              ObjectNode twice = action(payload).deepCopy();
              ((com.fasterxml.jackson.databind.node.ArrayNode) payload.path("actions")).add(twice);
            }),
        400);
  }

  @Test
  void aBodyOverMaxAnswerIsTooLong() {
    answered(
        scene
            .provider()
            .incoming(
                SlackWorkspace.signed(
                    "payload=" + "a".repeat(262_144), scene.now(), SlackWorkspace.SECRET)),
        413);
  }

  @Test
  void whatIsOfNoInterestIsAnsweredSo() {
    assertThat(text(answered(changed(payload -> payload.put("type", "shortcut")), 200)))
        .isEqualTo("{}");
    answered(changed(payload -> action(payload).put("action_id", "another_apps")), 200);
  }

  @Test
  void theUrlIsVerifiedForWhoeverHasTheSecret() {
    String challenge =
        "{\"token\":\"Jhj5dZrVaK7ZwHHjRyZWjbDl\",\"challenge\":\"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWM"
            + "HkR7Y\",\"type\":\"url_verification\"}";
    IncomingReply reply =
        answered(
            scene
                .provider()
                .incoming(SlackWorkspace.signed(challenge, scene.now(), SlackWorkspace.SECRET)),
            200);
    assertThat(json(text(reply)))
        .isEqualTo(json("{'challenge':'3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMHkR7Y'}"));
    answered(
        scene
            .provider()
            .incoming(SlackWorkspace.signed(challenge, scene.now(), "another-secret-00000")),
        401);
  }
}
