package dev.heldcall.kernel.call;

import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policy.Adjudication;
import dev.heldcall.kernel.policy.CallUnderPolicy;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policy.SchemaProblem;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.ToolEntry;
import dev.heldcall.plugin.api.VerdictKind;
import dev.heldcall.plugin.api.WitnessRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a call's content before policy, for the first time or again. */
final class Adjudicating {

  /** The built-in tool by which an organization's document is replaced. */
  static final String POLICY_CHANGE = dev.heldcall.kernel.policy.BuiltInTools.POLICY_CHANGE;

  private Adjudicating() {}

  /** What is wrong with the tool or its arguments, or null. */
  static @Nullable Rejection contentProblem(
      PolicyLayers layers, Boundary boundary, Generation generation) {
    if (boundary != Boundary.TOOL) {
      return null;
    }
    if (layers.tool(generation.tool()).isEmpty()) {
      return Rejection.of(
          Problem.UNKNOWN_TOOL, "the tool '" + generation.tool() + "' is not in the registry");
    }
    List<SchemaProblem> problems = layers.checkArgs(generation.tool(), generation.args());
    if (problems.isEmpty()) {
      return null;
    }
    return new Rejection(
        Problem.ARGS_SCHEMA,
        "the arguments break the schema of '" + generation.tool() + "'",
        problems.stream()
            .map(each -> new Rejection.FieldError("/args" + each.pointer(), each.message()))
            .toList(),
        null);
  }

  /** What policy says of the generation now. */
  static Ruling rule(
      CallSpec spec, Generation generation, PolicyInForce policy, Principal proposer, Instant now) {
    Preferences asked = spec.preferences();
    WitnessRule required = asked.require() == null ? null : RuleParser.parse(asked.require());
    Adjudication said =
        policy
            .layers()
            .adjudicate(
                new CallUnderPolicy(
                    spec.heldId(),
                    generation.number(),
                    spec.boundary(),
                    generation.tool(),
                    generation.args(),
                    proposer,
                    spec.sessionId(),
                    spec.turnId(),
                    spec.callId(),
                    required,
                    asked.timeoutSeconds()));
    Contract contract = said.contract();
    Digest toolDigest =
        spec.boundary() == Boundary.TOOL ? policy.layers().toolDigest(generation.tool()) : null;
    return new Ruling(
        generation.number(),
        said.verdict(),
        contract,
        contract == null ? null : Digests.contract(contract),
        said.reasons().stream()
            .map(each -> new Ruling.Reason(each.layer(), each.rule(), each.message()))
            .toList(),
        policy.layers().policyVersion(),
        policy.epoch(),
        toolDigest,
        traits(policy.layers(), spec, generation),
        now,
        said.disclosure());
  }

  /** From when on a call under the ruling has expired, or null if it never does. */
  static @Nullable Instant expiry(CallSpec spec, Ruling ruling) {
    Contract contract = ruling.contract();
    Long timeout = spec.preferences().timeoutSeconds();
    if (contract != null) {
      return ruling.at().plusSeconds(contract.expiresSeconds());
    }
    return timeout == null ? null : spec.createdAt().plusSeconds(timeout);
  }

  /** Writes a ruling down, and the end of the call where it refuses. */
  static void record(Draft draft, Ruling ruling, boolean evidenceStands) {
    CallSpec spec = draft.facts().requireSpec();
    draft.addByKernel(
        meta -> new HeldCallEvent.CallRuled(meta, ruling, expiry(spec, ruling), evidenceStands));
    switch (ruling.verdict()) {
      case ALLOW, REQUIRE_WITNESS -> {}
      case DENY, TRANSFORM, DEFER, INDETERMINATE ->
          draft.addByKernel(meta -> new HeldCallEvent.CallDenied(meta, "policy", words(ruling)));
    }
  }

  private static String words(Ruling ruling) {
    StringBuilder words = new StringBuilder();
    for (Ruling.Reason reason : ruling.reasons()) {
      words.append(words.isEmpty() ? "" : "; ").append(reason.message());
    }
    if (words.isEmpty()) {
      return ruling.verdict() == VerdictKind.DENY
          ? "policy denies the call"
          : "no policy layer decided on the call";
    }
    return words.toString();
  }

  /** How the generation is run. */
  static ToolTraits traits(PolicyLayers layers, CallSpec spec, Generation generation) {
    if (spec.boundary() != Boundary.TOOL) {
      return ToolTraits.GATE;
    }
    return layers
        .tool(generation.tool())
        .map(
            tool ->
                new ToolTraits(
                    tool.executor(),
                    tool.readBackUrl() != null || tool.executor() == ExecutorKind.KERNEL,
                    tool.idempotent()))
        .orElse(ToolTraits.GATE);
  }

  /** How long a dispatch of the generation may take. */
  static Duration timeout(PolicyLayers layers, CallSpec spec, Generation generation) {
    if (spec.boundary() != Boundary.TOOL) {
      return Duration.ofSeconds(10);
    }
    return layers.tool(generation.tool()).map(ToolEntry::timeout).orElse(Duration.ofSeconds(10));
  }
}
