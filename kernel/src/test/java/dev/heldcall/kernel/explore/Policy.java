package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.policy.PolicyLayers;
import org.jspecify.annotations.Nullable;

/**
 * One epoch's policy, as the product compiles it and as the explorer understands it.
 *
 * @param layers the compiled documents
 * @param denies whether it denies everything
 * @param demand what it asks for, or null if it allows or denies
 * @param tag what evidence given under it is bound to: the demand and the tool's address
 */
record Policy(PolicyLayers layers, boolean denies, @Nullable Demand demand, String tag) {

  static Policy allowing() {
    return new Policy(
        CompiledPolicies.of("{'id': 'all', 'tools': ['*'], 'verdict': 'ALLOW'}", ""),
        false,
        null,
        "allow");
  }

  static Policy denying() {
    return new Policy(
        CompiledPolicies.of("{'id': 'none', 'tools': ['*'], 'verdict': 'DENY'}", ""),
        true,
        null,
        "deny");
  }

  static Policy of(Demand demand) {
    return movedTo(demand, "");
  }

  /** The same demand in another document: a tool that nobody here uses has moved. */
  static Policy sameOtherwise(Demand demand) {
    return new Policy(
        CompiledPolicies.of(demand.document(), CompiledPolicies.REPORT),
        false,
        demand,
        demand.document());
  }

  /** The same demand of a tool at another address. */
  static Policy movedTo(Demand demand, String tool) {
    return new Policy(
        CompiledPolicies.of(demand.document(), tool), false, demand, demand.document() + tool);
  }
}
