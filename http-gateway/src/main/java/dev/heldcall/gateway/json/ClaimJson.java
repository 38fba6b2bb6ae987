package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.api.ClaimedRequest;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import java.util.List;

/** Renders witness requests for who has claimed them: all that an attestation must be bound to. */
public final class ClaimJson {

  private ClaimJson() {}

  /** The answer to a claim. */
  public static ObjectNode of(List<ClaimedRequest> claimed) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode items = node.putArray("items");
    claimed.forEach(each -> items.add(item(each)));
    return node;
  }

  private static ObjectNode item(ClaimedRequest claimed) {
    HeldCallFacts facts = claimed.call().facts();
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    Digest contract = ruling == null ? null : ruling.contractDigest();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("claim_id", claimed.claimId());
    node.put("claimed_until", Timestamps.text(claimed.claimedUntil()));
    node.put("held_id", spec.heldId());
    node.put("class", claimed.witnessClass());
    node.put("generation", generation.number());
    node.put("call_digest", generation.callDigest().value());
    node.put("contract_digest", contract == null ? null : contract.value());
    node.put("created_at", Timestamps.text(spec.createdAt()));
    node.put("expires_at", Timestamps.textOrNull(facts.expiresAt()));
    node.put("boundary", spec.boundary().wireName());
    node.set("principal", CallJson.principal(spec.proposer().ref()));
    node.set("contract", ContractJson.of(ruling));
    node.set(
        "presentation", Presentation.of(facts, Presentation.disclosed(facts, Disclosure.FULL)));
    return node;
  }
}
