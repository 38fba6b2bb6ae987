package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallEvent.CallCancelled;
import dev.heldcall.kernel.call.HeldCallEvent.CallDenied;
import dev.heldcall.kernel.call.HeldCallEvent.CallExpired;
import dev.heldcall.kernel.call.HeldCallEvent.DeliveryAcknowledged;
import dev.heldcall.kernel.call.HeldCallEvent.OutcomeRecorded;
import dev.heldcall.kernel.call.HeldCallEvent.ResultAdmitted;
import dev.heldcall.kernel.call.HeldCallEvent.ResultQuarantined;
import dev.heldcall.kernel.call.Invariants.Step;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.List;

/** The invariants of ends, results and deliveries: 6, 9, 10 and 11. */
final class EndInvariants {

  /** Shorter texts occur in any sentence by chance. */
  private static final int TELLING_LENGTH = 12;

  private EndInvariants() {}

  static void check(Step step) {
    HeldCallFacts before = step.before();
    if (step.event() instanceof CallCancelled || step.event() instanceof CallDenied) {
      beforeDispatch(step);
    } else if (step.event() instanceof CallExpired expired) {
      beforeDispatch(step);
      Instant due = before.expiresAt();
      step.demand(
          due != null && !expired.meta().at().isBefore(due),
          Invariant.TIME,
          "the call expired before its time");
    } else if (step.event() instanceof OutcomeRecorded) {
      step.demand(
          before.lifecycle() == Lifecycle.OPEN,
          Invariant.NO_EFFECT_AFTER_END,
          "an outcome after an end");
      step.demand(before.outcome() == null, Invariant.ONE_RESULT, "a second outcome");
    } else if (step.event() instanceof ResultAdmitted) {
      admission(step);
    } else if (step.event() instanceof ResultQuarantined quarantined) {
      admission(step);
      step.demand(
          !quarantined.reasons().isEmpty()
              && quarantined.reasons().stream()
                  .noneMatch(each -> repeats(each, quarantined.quarantinedContent())),
          Invariant.QUARANTINE,
          "a reason is missing or repeats quarantined content");
    } else if (step.event() instanceof DeliveryAcknowledged acknowledged) {
      step.demand(
          before.concluded()
              && before.delivery() != Delivery.ACKNOWLEDGED
              && acknowledged.deliveryId().equals(OutcomeJson.deliveryId(before)),
          Invariant.ONE_RESULT,
          "an acknowledgement of what was not delivered, or a second one");
    }
  }

  private static void beforeDispatch(Step step) {
    HeldCallFacts before = step.before();
    Resolution resolution = before.resolution();
    boolean resolvedWithoutEffect =
        resolution != null && !resolution.effect() && before.unknownLeases().isEmpty();
    step.demand(
        before.lifecycle() == Lifecycle.OPEN && (!before.dispatched() || resolvedWithoutEffect),
        Invariant.NO_EFFECT_AFTER_END,
        "a second end, or an end after the dispatch");
  }

  private static void admission(Step step) {
    step.demand(
        step.before().outcome() != null && step.before().admission() == Admission.PENDING,
        Invariant.ONE_RESULT,
        "a result was admitted or quarantined without an outcome, or twice");
  }

  private static boolean repeats(String reason, JsonNode content) {
    if (content.isValueNode()) {
      String text = content.asText();
      return text.length() >= TELLING_LENGTH && reason.contains(text);
    }
    for (JsonNode part : content) {
      if (repeats(reason, part)) {
        return true;
      }
    }
    return false;
  }

  /** What must hold whenever a decision is done, and need not between its events. */
  static void checkSettled(HeldCallFacts facts, List<String> found) {
    if (!facts.proposed()) {
      return;
    }
    Ruling ruling = facts.ruling();
    boolean mayStayOpen =
        ruling != null
            && (ruling.verdict() == VerdictKind.ALLOW
                || ruling.verdict() == VerdictKind.REQUIRE_WITNESS);
    demand(
        found,
        facts.lifecycle() != Lifecycle.OPEN || mayStayOpen,
        Invariant.FAIL_CLOSED,
        "a call that nobody allowed stays open");
    boolean ended = facts.lifecycle() != Lifecycle.OPEN;
    boolean live =
        !facts.unknownLeases().isEmpty()
            || facts.leases().stream().anyMatch(each -> each.state() == LeaseState.DISPATCHED);
    demand(
        found,
        !ended || (facts.outcome() == null && facts.end() != null),
        Invariant.ONE_RESULT,
        "both a result and a refusal, or an end without words");
    demand(
        found,
        !ended || !live,
        Invariant.NO_EFFECT_AFTER_END,
        "a dispatch is under way or unknown after an end");
    outcome(facts, found);
  }

  private static void outcome(HeldCallFacts facts, List<String> found) {
    CallOutcome outcome = facts.outcome();
    demand(
        found,
        (outcome != null) == (facts.admission() != Admission.PENDING),
        Invariant.ONE_RESULT,
        "an outcome and its admission are not on record together");
    demand(
        found,
        outcome == null
            || facts.admission() == Admission.ADMITTED
            || (outcome.content() == null && !outcome.reasons().isEmpty()),
        Invariant.QUARANTINE,
        "quarantined content is among the facts");
  }

  private static void demand(List<String> found, boolean holds, Invariant invariant, String what) {
    if (!holds) {
      found.add(invariant.text() + ": " + what);
    }
  }
}
