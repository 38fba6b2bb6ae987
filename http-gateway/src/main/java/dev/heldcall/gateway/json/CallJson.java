package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.call.Resolution;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import org.jspecify.annotations.Nullable;

/** Renders a whole call as one viewer may see it. */
public final class CallJson {

  private final Statuses statuses;
  private final int maxEvidence;

  /**
   * Renders with a bound.
   *
   * @param statuses derives what is shown
   * @param maxEvidence how many attestations a status shows
   */
  public CallJson(Statuses statuses, int maxEvidence) {
    this.statuses = statuses;
    this.maxEvidence = maxEvidence;
  }

  /** The call for this viewer. */
  public ObjectNode of(CallView view, Principal viewer) {
    HeldCallFacts facts = view.facts();
    HeldCallStatus status = statuses.of(view);
    boolean whole =
        viewer.ref().equals(facts.requireSpec().proposer().ref()) || viewer.has(Role.OPERATOR);
    Presentation.Disclosed args =
        whole ? Presentation.whole(facts) : Presentation.disclosed(facts, Disclosure.FULL);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    writeSpec(node, facts, args);
    node.set("status", StatusJson.of(facts, status, maxEvidence));
    node.put("phase", status.phase().wireName());
    writeExplain(node, status);
    RoutesJson.writeTo(node.putArray("routes"), view.routes());
    RoutesJson.lines(view.routes()).forEach(((ArrayNode) node.get("explain"))::add);
    writeConclusion(node, facts, args.disclosure() != Disclosure.FULL);
    writeResolution(node, facts.resolution());
    return node;
  }

  private static void writeSpec(ObjectNode node, HeldCallFacts facts, Presentation.Disclosed args) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    node.put("held_id", spec.heldId());
    node.put("session_id", spec.sessionId());
    node.put("turn_id", spec.turnId());
    node.put("call_id", spec.callId());
    node.put("boundary", spec.boundary().wireName());
    node.put("generation", generation.number());
    node.put("tool", generation.tool());
    args.writeTo(node);
    node.put("args_digest", generation.argsDigest().value());
    node.put("call_digest", generation.callDigest().value());
    node.put("verdict", ruling == null ? null : ruling.verdict().wireName());
    node.set("contract", ContractJson.of(ruling));
    node.set("trace", TraceJson.of(ruling));
    node.put("policy_version", ruling == null ? null : ruling.policyVersion().value());
    node.put("plugin_set_digest", spec.pluginSetDigest().value());
    node.set("principal", principal(spec.proposer().ref()));
    var capabilities = node.putArray("capability_snapshot");
    spec.proposer().capabilities().forEach(capabilities::add);
    node.put("continuation_ref", spec.continuationRef());
    var dependsOn = node.putArray("depends_on");
    spec.dependsOn().forEach(dependsOn::add);
    node.put("parent_held_id", spec.parentHeldId());
    PrincipalRef editor = generation.editor();
    node.set("editor", editor == null ? null : principal(editor));
    node.put("created_at", Timestamps.text(spec.createdAt()));
    node.put("expires_at", Timestamps.textOrNull(facts.expiresAt()));
    node.put("attempt", facts.attempts());
    node.put("idempotency_key", LeaseRules.idempotencyKey(spec.heldId(), generation.number()));
  }

  static ObjectNode principal(PrincipalRef principal) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("org", principal.org())
        .put("project", principal.project())
        .put("id", principal.id());
  }

  static void writeExplain(ObjectNode node, HeldCallStatus status) {
    var lines = node.putArray("explain");
    status.explain().forEach(lines::add);
  }

  /** Writes {@code result}, {@code refusal} and {@code delivery_id}. */
  private static void writeConclusion(ObjectNode node, HeldCallFacts facts, boolean leaveOut) {
    ObjectNode result = OutcomeJson.result(facts);
    if (result != null && leaveOut && result.remove("content") != null) {
      result.put("content_left_out", true);
    }
    node.set("result", result);
    node.set("refusal", OutcomeJson.refusal(facts));
    node.put("delivery_id", facts.concluded() ? OutcomeJson.deliveryId(facts) : null);
  }

  private static void writeResolution(ObjectNode node, @Nullable Resolution resolution) {
    if (resolution == null) {
      node.putNull("resolution");
      return;
    }
    node.putObject("resolution")
        .put("outcome", resolution.effect() ? "effect" : "no-effect")
        .put("by", resolution.by().id())
        .put("at", Timestamps.text(resolution.at()));
  }
}
