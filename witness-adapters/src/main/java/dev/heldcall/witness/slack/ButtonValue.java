package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.MalformedJson;
import dev.heldcall.witness.evidence.PostedFields;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a button stands for: exactly one call as it stood, and what is said of it. Slack gives it
 * back with the click; the kernel compares it with the call as it stands then.
 */
record ButtonValue(
    String requestId,
    String heldId,
    int generation,
    Digest callDigest,
    Digest contractDigest,
    AttestationDecision decision) {

  /** The most characters that Slack takes as a button's value. */
  static final int MAX = 2000;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,200}");
  private static final String BLOCK = "heldcall:";
  private static final String ACTION = "heldcall_";

  /** That of a request's button. */
  static ButtonValue of(WitnessRequest request, AttestationDecision decision) {
    return new ButtonValue(
        request.requestId(),
        request.heldId(),
        request.generation(),
        request.callDigest(),
        request.contractDigest(),
        decision);
  }

  /**
   * Reads what a click brings.
   *
   * @throws MalformedJson if it is none, or of another button than the one that was clicked
   */
  static ButtonValue read(String value, String blockId, String actionId) throws MalformedJson {
    PostedFields fields = PostedFields.of(value.getBytes(StandardCharsets.UTF_8));
    ButtonValue read =
        new ButtonValue(
            id(fields, "request_id"),
            id(fields, "held_id"),
            fields.count("generation"),
            fields.digest("call_digest"),
            fields.digest("contract_digest"),
            fields.decision("decision"));
    fields.done();
    if (!blockId.equals(blockId(read.requestId)) || !actionId.equals(read.actionId())) {
      throw new MalformedJson("value", "the value of the button that was clicked");
    }
    return read;
  }

  private static String id(PostedFields fields, String name) throws MalformedJson {
    String id = fields.text(name, MAX);
    if (!ID.matcher(id).matches()) {
      throw new MalformedJson(name, "an id of letters, digits and . _ -");
    }
    return id;
  }

  /** The id of the block that a request's buttons are in; by it the message is known again, too. */
  static String blockId(String requestId) {
    return BLOCK + requestId;
  }

  /** Whether an action is one of ours. */
  static boolean isOurs(String actionId) {
    return actionId.startsWith(ACTION);
  }

  /** The button's id. */
  String actionId() {
    return ACTION + decision.wireName();
  }

  /** As Slack keeps it. */
  String text() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("request_id", requestId)
        .put("held_id", heldId)
        .put("generation", generation)
        .put("call_digest", callDigest.value())
        .put("contract_digest", contractDigest.value())
        .put("decision", decision.wireName())
        .toString();
  }
}
