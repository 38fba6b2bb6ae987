package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.CallEnd;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders the answer to a proposal, to an edit and to a policy change: how the call stands now. */
public final class ProposalJson {

  private final Statuses statuses;

  /**
   * Renders.
   *
   * @param statuses derives what is shown
   */
  public ProposalJson(Statuses statuses) {
    this.statuses = statuses;
  }

  /** Whether the call was refused by policy, by a witness or by a dependency. */
  public static boolean isDenied(HeldCallFacts facts) {
    return facts.lifecycle() == Lifecycle.DENIED || isDenial(facts.ruling());
  }

  private static boolean isDenial(@Nullable Ruling ruling) {
    return ruling != null
        && (ruling.verdict() == VerdictKind.DENY || ruling.verdict() == VerdictKind.INDETERMINATE);
  }

  /** A concluded call with its result, or with the refusal if it was cancelled or expired. */
  public ObjectNode concluded(CallView view) {
    HeldCallFacts facts = view.facts();
    ObjectNode node = head(facts);
    node.putArray("transforms");
    node.set("result", OutcomeJson.result(facts));
    ObjectNode refusal = OutcomeJson.refusal(facts);
    if (refusal != null) {
      node.set("refusal", refusal);
    }
    node.put("delivery_id", OutcomeJson.deliveryId(facts));
    node.put("phase", statuses.of(view).phase().wireName());
    return node;
  }

  /** A call that waits for evidence, for others, for a worker, or for its tool. */
  public ObjectNode held(CallView view) {
    HeldCallFacts facts = view.facts();
    HeldCallStatus status = statuses.of(view);
    Ruling ruling = facts.ruling();
    ObjectNode node = head(facts);
    node.put("args_digest", facts.requireGeneration().argsDigest().value());
    node.put("expires_at", Timestamps.textOrNull(facts.expiresAt()));
    node.putArray("transforms");
    ObjectNode contract = ContractJson.of(ruling);
    node.set("contract", contract);
    Contract asked = ruling == null ? null : ruling.contract();
    node.set(
        "witness_request",
        asked == null || contract == null
            ? null
            : WitnessRequestJson.of(view, status, asked, contract.path("digest").asText()));
    node.set("trace", TraceJson.of(ruling));
    node.put("readiness", status.readiness().wireName());
    node.put("execution", status.execution().wireName());
    node.put("phase", status.phase().wireName());
    CallJson.writeExplain(node, status);
    return node;
  }

  /** A call that will not run because somebody said no. */
  public static ProblemDetails denied(CallView view) {
    HeldCallFacts facts = view.facts();
    Ruling ruling = facts.ruling();
    CallEnd end = facts.end();
    boolean byPolicy = isDenial(ruling);
    List<Ruling.Reason> reasons =
        ruling != null && byPolicy ? ruling.reasons() : List.of(ofEnd(ruling, end));
    ObjectNode extras = JsonNodeFactory.instance.objectNode();
    extras.put(
        "verdict", (ruling != null && byPolicy ? ruling.verdict() : VerdictKind.DENY).wireName());
    Generation generation = facts.requireGeneration();
    extras.put("generation", generation.number());
    extras.put("call_digest", generation.callDigest().value());
    ArrayNode list = extras.putArray("reasons");
    for (Ruling.Reason reason : reasons) {
      list.addObject()
          .put("layer", reason.layer())
          .put("rule", reason.rule())
          .put("message", reason.message());
    }
    extras.set("trace", TraceJson.of(ruling));
    ObjectNode refusal = OutcomeJson.refusal(facts);
    if (refusal != null) {
      extras.set("refusal", refusal);
      extras.put("delivery_id", OutcomeJson.deliveryId(facts));
    }
    return new ProblemDetails(
        ProblemType.DENIED,
        reasons.isEmpty() ? "no rule allows the call" : reasons.getFirst().message(),
        facts.requireSpec().heldId(),
        List.of(),
        extras);
  }

  /** The reason for a call that policy did not deny itself. */
  private static Ruling.Reason ofEnd(@Nullable Ruling ruling, @Nullable CallEnd end) {
    String by = end == null ? "policy" : end.by();
    String layer = by.equals("policy") || by.equals("dependency") ? by : "witness";
    Contract contract = ruling == null ? null : ruling.contract();
    String words = end == null ? null : end.reason();
    return new Ruling.Reason(
        layer,
        layer.equals("witness") && contract != null ? contract.rule() : by,
        words == null ? "denied by " + by : words);
  }

  private static ObjectNode head(HeldCallFacts facts) {
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", facts.requireSpec().heldId());
    node.put("verdict", ruling == null ? null : ruling.verdict().wireName());
    node.put("generation", generation.number());
    node.put("call_digest", generation.callDigest().value());
    return node;
  }
}
