package dev.heldcall.kernel.deliver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.readside.Mailbox;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Writes a conclusion into its session's mailbox: by the call's delivery actor at once, and again
 * by the projection, which finds it there. Its content is a function of the facts.
 */
public final class MailboxWriter {

  private final Mailbox mailbox;

  /** Writes through {@code mailbox}. */
  public MailboxWriter(Mailbox mailbox) {
    this.mailbox = mailbox;
  }

  /** Puts the conclusion in, once however often it is called. */
  public void offer(Connection connection, HeldCallFacts facts) throws SQLException {
    CallSpec spec = facts.requireSpec();
    mailbox.append(
        connection,
        SessionKey.of(spec),
        OutcomeJson.deliveryId(facts),
        spec.heldId(),
        item(facts).toString());
  }

  /** Marks it acknowledged. */
  public void acknowledged(Connection connection, HeldCallFacts facts) throws SQLException {
    mailbox.markAcknowledged(connection, OutcomeJson.deliveryId(facts));
  }

  /** What is delivered, without its place in the mailbox. */
  public static ObjectNode item(HeldCallFacts facts) {
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
