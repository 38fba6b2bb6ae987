package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.call.Readiness;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleShape;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Disclosure;

/** Renders what witnesses are asked: what an attestation must be bound to, by whom, about what. */
final class WitnessRequestJson {

  private WitnessRequestJson() {}

  /** The request for a call that has a contract. */
  static ObjectNode of(
      CallView view, HeldCallStatus status, Contract contract, String contractDigest) {
    HeldCallFacts facts = view.facts();
    Generation generation = facts.requireGeneration();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", facts.requireSpec().heldId());
    node.put("generation", generation.number());
    node.put("call_digest", generation.callDigest().value());
    node.put("contract_digest", contractDigest);
    ArrayNode routes = node.putArray("routes");
    if (asking(facts, status)) {
      for (String witnessClass :
          RuleShape.activeClasses(RuleParser.parse(contract.rule()), facts.openFallbacks())) {
        routes
            .addObject()
            .put("class", witnessClass)
            .put("route", "inbox")
            .put("state", "requested");
      }
      RoutesJson.writeTo(routes, view.routes());
    }
    node.set(
        "presentation", Presentation.of(facts, Presentation.disclosed(facts, Disclosure.FULL)));
    return node;
  }

  /** Whether anybody's word can still change whether the call runs. */
  private static boolean asking(HeldCallFacts facts, HeldCallStatus status) {
    return facts.lifecycle() == Lifecycle.OPEN
        && status.execution() == Execution.NONE
        && status.readiness() != Readiness.SATISFIED;
  }
}
