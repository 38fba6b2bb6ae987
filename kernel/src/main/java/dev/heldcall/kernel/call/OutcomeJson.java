package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A conclusion as it is shown everywhere: in answers and in deliveries, so that both are the same
 * to the byte.
 */
public final class OutcomeJson {

  private OutcomeJson() {}

  /** The result, or null while there is none; quarantined content is never in it. */
  public static @Nullable ObjectNode result(HeldCallFacts facts) {
    CallOutcome outcome = facts.outcome();
    if (outcome == null || facts.admission() == Admission.PENDING) {
      return null;
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("admission", facts.admission().wireName());
    node.put("outcome", outcome.succeeded() ? "succeeded" : "failed");
    if (facts.admission() == Admission.ADMITTED) {
      node.set("content", outcome.content());
    } else {
      var reasons = node.putArray("reasons");
      outcome.reasons().forEach(reasons::add);
    }
    node.put("content_digest", outcome.contentDigest().value());
    if (outcome.truncated()) {
      node.put("truncated", true);
    }
    return node;
  }

  /** The refusal, or null if the call did not end without an effect. */
  public static @Nullable ObjectNode refusal(HeldCallFacts facts) {
    CallEnd end = facts.end();
    if (end == null || facts.lifecycle() == Lifecycle.OPEN || !facts.concluded()) {
      return null;
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("kind", facts.lifecycle().wireName());
    node.put("by", end.by());
    node.put("reason", end.reason());
    node.put("executed", false);
    return node;
  }

  /** The id under which the conclusion is offered to the session. */
  public static String deliveryId(HeldCallFacts facts) {
    return facts.requireSpec().heldId() + "." + facts.requireGeneration().number();
  }
}
