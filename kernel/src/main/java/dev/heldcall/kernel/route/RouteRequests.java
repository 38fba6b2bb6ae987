package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessRequest;
import org.jspecify.annotations.Nullable;

/** Puts a call as it stands into the words of a request. */
final class RouteRequests {

  private RouteRequests() {}

  /**
   * The request of a route's round.
   *
   * @param publicUrl where people reach the cluster, or null
   */
  static WitnessRequest of(
      HeldCallFacts facts,
      RouteRecord route,
      ProviderContract contract,
      @Nullable String publicUrl) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Presentation.Disclosed shown = Presentation.disclosed(facts, contract.disclosure());
    return new WitnessRequest(
        route.requestId(),
        spec.heldId(),
        generation.number(),
        generation.callDigest(),
        route.contractDigest(),
        contract.witnessClass(),
        spec.boundary(),
        generation.tool(),
        generation.argsDigest(),
        shown.args(),
        shown.disclosure(),
        shown.leftOut(),
        spec.proposer().ref(),
        spec.proposer().modelFamily(),
        spec.createdAt(),
        facts.expiresAt(),
        publicUrl == null ? null : publicUrl + "/held/" + spec.heldId());
  }
}
