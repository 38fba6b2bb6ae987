package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.CallEnd;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.Refusal;
import dev.heldcall.kernel.call.Ruling;
import org.jspecify.annotations.Nullable;

/** Renders the status of a call: each fact by itself, and no word for all of them. */
final class StatusJson {

  private StatusJson() {}

  /** The {@code status} object. */
  static ObjectNode of(HeldCallFacts facts, HeldCallStatus status, int maxEvidence) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("intent_generation", facts.requireGeneration().number());
    node.put("lifecycle", facts.lifecycle().wireName());
    node.put("readiness", status.readiness().wireName());
    EvidenceJson.writeTo(node, facts.evidence().values(), maxEvidence);
    writeRule(node, status);
    Ruling ruling = facts.ruling();
    node.put("policy_epoch_checked", ruling == null ? null : ruling.epoch());
    node.put("execution", status.execution().wireName());
    node.put("result_admission", facts.admission().wireName());
    node.put("continuation_delivery", facts.delivery().wireName());
    CallEnd wish = facts.cancelWish();
    node.put("cancel_requested_at", wish == null ? null : Timestamps.text(wish.at()));
    node.put("refused_attestations", facts.refusals());
    writeRefusals(node, facts);
    ObjectNode dependencies = node.putObject("dependencies");
    facts.dependencies().forEach((id, state) -> dependencies.put(id, state.wireName()));
    return node;
  }

  /** The newest refusals, oldest of them first; the history has those that are left out. */
  private static void writeRefusals(ObjectNode node, HeldCallFacts facts) {
    ArrayNode items = node.putArray("refusals");
    for (Refusal each : facts.newestRefusals().values()) {
      items
          .addObject()
          .put("attestation_id", each.attestationId())
          .put("witness", each.witness().id())
          .put("disposition", each.disposition())
          .put("reason", each.reason())
          .put("at", Timestamps.text(each.at()));
    }
    node.put("refusals_left_out", facts.refusals() - items.size());
  }

  private static void writeRule(ObjectNode node, HeldCallStatus status) {
    @Nullable String expression = status.ruleExpression();
    if (expression == null) {
      node.putNull("witness_rule");
    } else {
      node.putObject("witness_rule").put("expression", expression).put("value", status.ruleValue());
    }
  }
}
