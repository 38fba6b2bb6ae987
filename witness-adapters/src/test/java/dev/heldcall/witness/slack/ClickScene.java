package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Vote;
import dev.heldcall.plugin.api.WitnessRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A request that is posted, a minute ago, and somebody who clicks. */
abstract class ClickScene {

  static final String ALICE = "U2CERLKJA";
  static final WitnessRequest REQUEST = SlackScene.asking(json("{'to':'acct-2'}"));

  final SlackScene scene = new SlackScene();
  final SlackWorkspace workspace = scene.workspace();
  final ObjectNode message = scene.posted(REQUEST);

  @BeforeEach
  void time() {
    scene.passes(Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    scene.close();
  }

  static Vote vote(IncomingWitness incoming) {
    assertThat(incoming).isInstanceOf(Vote.class);
    return (Vote) incoming;
  }

  static String text(IncomingReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  /** What comes of a click whose payload was changed after all, and signed. */
  IncomingWitness changed(Consumer<ObjectNode> change) {
    ObjectNode payload = workspace.payload(message, ALICE, "heldcall_approve", scene.now());
    change.accept(payload);
    return scene.provider().incoming(SlackWorkspace.click(payload, scene.now()));
  }
}
