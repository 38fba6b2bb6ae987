package dev.heldcall.kernel.deliver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;

/** What a session's mailbox shows of a conclusion: a function of the facts, the same for ever. */
public final class MailboxItem {

  private MailboxItem() {}

  /** What is delivered, without its place in the mailbox. */
  public static ObjectNode of(HeldCallFacts facts) {
    CallSpec spec = facts.requireSpec();
    ObjectNode item = JsonNodeFactory.instance.objectNode();
    item.put("delivery_id", OutcomeJson.deliveryId(facts));
    item.put("held_id", spec.heldId());
    item.put("turn_id", spec.turnId());
    item.put("call_id", spec.callId());
    ObjectNode result = OutcomeJson.result(facts);
    item.put("kind", result == null ? "refusal" : "result");
    item.put("continuation_ref", spec.continuationRef());
    if (result == null) {
      item.set("refusal", OutcomeJson.refusal(facts));
    } else {
      item.set("result", result);
    }
    return item;
  }
}
