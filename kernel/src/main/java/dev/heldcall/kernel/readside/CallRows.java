package dev.heldcall.kernel.readside;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.call.Readiness;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Contract;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A call's row of the index as a function of its facts: the same facts give the same row. */
public final class CallRows {

  private CallRows() {}

  /**
   * The row.
   *
   * @param sequence the journal sequence number of the facts
   */
  public static CallRow of(HeldCallFacts facts, long sequence) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Instant now = facts.lastEventAt();
    // Who could give what is missing is the node's to know, not the ledger's: the call says it.
    HeldCallStatus status = HeldCallStatus.of(facts, now, null);
    CallState state = state(facts, status);
    Set<String> classes = waitingClasses(facts, status);
    return new CallRow(
        spec.heldId(),
        spec.proposer().ref(),
        spec.sessionId(),
        spec.turnId(),
        spec.callId(),
        dev.heldcall.kernel.call.SessionKey.of(spec),
        generation.tool(),
        state,
        status.phase().wireName(),
        millis(facts.expiresAt()),
        spec.createdAt().toEpochMilli(),
        millis(Enabling.nextDue(facts)),
        classes,
        generation.number(),
        sequence,
        summary(facts, status, state, classes).toString(),
        facts.concluded());
  }

  private static CallState state(HeldCallFacts facts, HeldCallStatus status) {
    if (facts.concluded()) {
      return CallState.ENDED;
    }
    if (status.execution() == Execution.OUTCOME_UNKNOWN) {
      return CallState.UNKNOWN;
    }
    return status.execution() == Execution.NONE && status.readiness() != Readiness.SATISFIED
        ? CallState.WAITING
        : CallState.READY;
  }

  private static Set<String> waitingClasses(HeldCallFacts facts, HeldCallStatus status) {
    Contract contract = EvidenceView.contract(facts);
    if (!facts.undecided() || contract == null) {
      return Set.of();
    }
    TreeSet<String> classes = new TreeSet<>(contract.veto());
    if (status.readiness() != Readiness.SATISFIED) {
      classes.addAll(EvidenceView.askedClasses(facts));
    }
    return classes;
  }

  private static ObjectNode summary(
      HeldCallFacts facts, HeldCallStatus status, CallState state, Set<String> classes) {
    CallSpec spec = facts.requireSpec();
    Generation generation = facts.requireGeneration();
    Ruling ruling = facts.ruling();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("held_id", spec.heldId());
    node.put("session_id", spec.sessionId());
    node.put("turn_id", spec.turnId());
    node.put("call_id", spec.callId());
    node.put("boundary", spec.boundary().wireName());
    node.put("tool", generation.tool());
    node.put("generation", generation.number());
    ObjectNode principal = node.putObject("principal");
    principal.put("org", spec.proposer().org());
    principal.put("project", spec.proposer().project());
    principal.put("id", spec.proposer().id());
    node.put("state", state.wire());
    node.put("phase", status.phase().wireName());
    node.put("lifecycle", facts.lifecycle().wireName());
    node.put("readiness", status.readiness().wireName());
    node.put("execution", status.execution().wireName());
    node.put("args_digest", generation.argsDigest().value());
    node.put("call_digest", generation.callDigest().value());
    node.put("created_at", text(spec.createdAt()));
    node.put("expires_at", text(facts.expiresAt()));
    if (ruling != null) {
      node.put("verdict", ruling.verdict().wireName());
      node.put("policy_epoch", ruling.epoch());
      Contract contract = ruling.contract();
      if (contract == null) {
        node.putNull("contract");
      } else {
        ObjectNode shown = Digests.contractJson(contract);
        shown.put("digest", Digests.contract(contract).value());
        node.set("contract", shown);
      }
    }
    ArrayNode waiting = node.putArray("waiting_classes");
    classes.forEach(waiting::add);
    node.set("presentation", Presentation.listed(facts));
    ArrayNode explain = node.putArray("explain");
    status.explain().forEach(explain::add);
    waits(facts, status, node);
    return node;
  }

  /** What the session's page says: whether the call may go on, and what it waits for. */
  private static void waits(HeldCallFacts facts, HeldCallStatus status, ObjectNode node) {
    ArrayNode blocked = node.putArray("blocked_on");
    for (Map.Entry<String, DependencyState> each : facts.dependencies().entrySet()) {
      if (each.getValue() != DependencyState.SATISFIED && !facts.concluded()) {
        blocked.add(each.getKey());
      }
    }
    for (String child : facts.children().keySet()) {
      if (!facts.settledChildren().contains(child) && !facts.concluded()) {
        blocked.add(child);
      }
    }
    boolean runnable =
        !facts.concluded()
            && blocked.isEmpty()
            && status.execution() == Execution.NONE
            && status.readiness() == Readiness.SATISFIED;
    node.put("runnable", runnable);
    node.put("concluded", facts.concluded());
    node.put("delivery", facts.delivery().wireName());
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : Timestamps.text(instant.truncatedTo(ChronoUnit.MILLIS));
  }
}
