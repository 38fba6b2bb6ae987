package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Attestation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders a call's receipt: who decided what about exactly which content, under which policy, and
 * what came of it. It is bounded, and has neither arguments nor results, only their digests, so
 * that it is the same for everybody who may read the call.
 */
public final class ReceiptJson {

  /** The most decisions of a receipt. */
  public static final int MAX_DECISIONS = 64;

  private ReceiptJson() {}

  /** The receipt as the call stands. */
  public static ObjectNode of(HeldCallFacts facts) {
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", facts.requireSpec().heldId());
    node.put("generation", generation.number());
    node.put("call_digest", generation.callDigest().value());
    node.set("contract", ContractJson.of(ruling));
    int leftOut = writeDecisions(node.putArray("decisions"), facts, generation.number());
    node.put("policy_version", ruling == null ? null : ruling.policyVersion().value());
    node.put("outcome", outcome(facts));
    CallOutcome result = facts.outcome();
    node.put(
        "content_digest",
        result == null || facts.admission() == Admission.PENDING
            ? null
            : result.contentDigest().value());
    node.put("left_out", leftOut);
    return node;
  }

  /** Writes the newest decisions about the generation, and says how many older ones there are. */
  private static int writeDecisions(ArrayNode items, HeldCallFacts facts, int generation) {
    List<Evidence> all =
        facts.evidence().values().stream()
            .filter(each -> each.attestation().generation() == generation)
            .toList();
    int leftOut = Math.max(0, all.size() - MAX_DECISIONS);
    all.stream().skip(leftOut).forEach(each -> write(items.addObject(), each));
    return leftOut;
  }

  private static void write(ObjectNode node, Evidence evidence) {
    Attestation attestation = evidence.attestation();
    node.put("witness", evidence.witness().id());
    node.put("display_name", evidence.witness().id());
    node.put("class", attestation.witnessClass());
    node.put("decision", attestation.decision().wireName());
    node.put("attestation_id", attestation.attestationId());
    node.put("at", Timestamps.text(evidence.receivedAt()));
    node.put("call_digest", attestation.callDigest().value());
    node.put("state", evidence.state().wireName());
  }

  /**
   * What came of the call, or null while that is open. An effect nobody knows of outweighs an end
   * without one: a late report may contradict the proof that the end rested on.
   */
  private static @Nullable String outcome(HeldCallFacts facts) {
    CallOutcome result = facts.outcome();
    if (result != null && facts.admission() != Admission.PENDING) {
      return result.succeeded() ? "succeeded" : "failed";
    }
    if (facts.execution() == Execution.OUTCOME_UNKNOWN) {
      return "unknown";
    }
    return facts.lifecycle() == Lifecycle.OPEN ? null : facts.lifecycle().wireName();
  }
}
