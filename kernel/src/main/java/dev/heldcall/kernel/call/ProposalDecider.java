package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallCommand.EditCall;
import dev.heldcall.kernel.call.HeldCallCommand.ProposeCall;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides on proposals and edits: what makes a generation. */
final class ProposalDecider {

  private ProposalDecider() {}

  static Decision propose(Draft draft, ProposeCall command) {
    HeldCallFacts facts = draft.facts();
    Proposal proposal = command.proposal();
    if (facts.proposed()) {
      return facts.requireSpec().proposalDigest().equals(proposal.contentDigest())
          ? draft.stands()
          : draft.refuse(
              Problem.CALL_IDENTITY_CONFLICT,
              "another content was proposed under this session_id, turn_id and call_id");
    }
    PolicyInForce policy = draft.freshPolicy();
    if (policy == null) {
      return draft.answer(new Answer.FreshPolicyNeeded());
    }
    String heldId = proposal.identity(command.proposer()).heldId();
    CallSpec spec = spec(command, heldId, draft.now());
    Generation first =
        generation(
            heldId,
            1,
            spec.boundary(),
            proposal.tool(),
            proposal.args(),
            spec.proposer(),
            null,
            draft.now());
    Rejection problem = Adjudicating.contentProblem(policy.layers(), spec.boundary(), first);
    if (problem != null) {
      return draft.refuse(problem);
    }
    draft.add(meta -> new HeldCallEvent.CallProposed(meta, spec, first));
    for (String id : spec.dependsOn()) {
      Upstream seen = command.upstream().get(id);
      if (seen != null) {
        draft.addByKernel(meta -> new HeldCallEvent.UpstreamSeen(meta, id, seen));
      }
    }
    Adjudicating.record(
        draft, Adjudicating.rule(spec, first, policy, spec.proposer(), draft.now()), true);
    return draft.stands();
  }

  private static CallSpec spec(ProposeCall command, String heldId, Instant now) {
    Proposal proposal = command.proposal();
    return new CallSpec(
        heldId,
        command.proposer(),
        proposal.sessionId(),
        proposal.turnId(),
        proposal.callId(),
        proposal.boundary(),
        proposal.continuationRef(),
        proposal.dependsOn(),
        proposal.parentHeldId(),
        command.rootSession(),
        proposal.preferences(),
        proposal.contentDigest(),
        command.pluginSetDigest(),
        now);
  }

  private static Generation generation(
      String heldId,
      int number,
      Boundary boundary,
      String tool,
      JsonNode args,
      Principal proposer,
      @Nullable PrincipalRef editor,
      Instant now) {
    JsonNode canonical = CanonicalJson.canonical(args);
    Digest argsDigest = Digests.ofCanonical(canonical);
    Digest callDigest = Digests.call(heldId, number, boundary, tool, argsDigest, proposer.ref());
    return new Generation(number, tool, canonical, argsDigest, callDigest, editor, now);
  }

  static Decision edit(Draft draft, EditCall command) {
    HeldCallFacts facts = draft.facts();
    Rejection refused = Access.proposerOnly(facts, command.by());
    if (refused != null) {
      return draft.refuse(refused);
    }
    Generation current = facts.requireGeneration();
    if (facts.lifecycle() != Lifecycle.OPEN) {
      return draft.refuse(
          Problem.NOT_OPEN,
          "the call is " + facts.lifecycle().wireName() + ": it cannot be edited");
    }
    if (facts.dispatched()) {
      return draft.refuse(
          new Rejection(
              Problem.EFFECT_DISPATCHED,
              "the effect was dispatched: the call cannot be edited any more",
              java.util.List.of(),
              facts.execution()));
    }
    if (command.generation() != current.number()) {
      return draft.refuse(
          Problem.STALE, "generation " + current.number() + " stands, not " + command.generation());
    }
    PolicyInForce policy = draft.freshPolicy();
    if (policy == null) {
      return draft.answer(new Answer.FreshPolicyNeeded());
    }
    CallSpec spec = facts.requireSpec();
    Generation next =
        generation(
            spec.heldId(),
            current.number() + 1,
            spec.boundary(),
            command.tool() == null ? current.tool() : command.tool(),
            command.args() == null ? current.args() : command.args(),
            spec.proposer(),
            command.by().ref(),
            draft.now());
    Rejection problem = Adjudicating.contentProblem(policy.layers(), spec.boundary(), next);
    if (problem != null) {
      return draft.refuse(problem);
    }
    draft.add(meta -> new HeldCallEvent.CallEdited(meta, next));
    Adjudicating.record(
        draft,
        Adjudicating.rule(spec, next, policy, policy.asOfNow(spec.proposer()), draft.now()),
        true);
    return draft.stands();
  }
}
