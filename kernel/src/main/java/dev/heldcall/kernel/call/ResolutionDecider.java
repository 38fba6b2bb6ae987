package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.call.HeldCallCommand.ResolveOutcome;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides how an operator closes an outcome that nobody knows (rule 4). */
final class ResolutionDecider {

  private ResolutionDecider() {}

  static Decision resolve(Draft draft, ResolveOutcome command) {
    HeldCallFacts facts = draft.facts();
    Rejection refused = mayResolve(facts, command.by());
    if (refused != null) {
      return draft.refuse(refused);
    }
    JsonNode given = command.content() == null ? NullNode.getInstance() : command.content();
    Content content = Content.of(given);
    Resolution before = facts.resolution();
    if (before != null) {
      boolean same =
          before.effect() == command.effect()
              && (!command.effect() || content.digest().equals(before.contentDigest()));
      return same
          ? draft.stands()
          : draft.refuse(Problem.RESOLUTION_CONFLICT, "another resolution is on record");
    }
    if (facts.lifecycle() != Lifecycle.OPEN) {
      return draft.refuse(
          Problem.NOT_OPEN,
          "the call is "
              + facts.lifecycle().wireName()
              + " and its session was told so; what was reported later is on record");
    }
    if (facts.execution() != Execution.OUTCOME_UNKNOWN) {
      return draft.refuse(Problem.NOT_UNKNOWN, "the execution is " + facts.execution().wireName());
    }
    Instant now = draft.now();
    if (!command.effect()) {
      Instant opens = latestSettle(facts);
      if (now.isBefore(opens)) {
        return draft.refuse(Problem.TOO_EARLY, "a proof of no effect counts from " + opens + " on");
      }
    }
    draft.add(
        meta ->
            new HeldCallEvent.OutcomeResolved(
                meta,
                new Resolution(
                    command.by().ref(),
                    command.effect(),
                    command.effect() ? content.digest() : null,
                    command.evidence(),
                    now)));
    if (command.effect()) {
      EffectDecider.outcome(
          draft,
          mostLikely(facts).lease().leaseId(),
          true,
          content,
          OutcomeSource.RESOLUTION,
          "resolved by " + command.by().id());
    } else {
      resolveWithoutEffect(draft, command.by());
    }
    return draft.stands();
  }

  /** The lease that an effect is put down to: one of which nobody knows, else the last. */
  private static LeaseRecord mostLikely(HeldCallFacts facts) {
    List<LeaseRecord> unknown = facts.unknownLeases();
    return unknown.isEmpty() ? Objects.requireNonNull(facts.lastLease()) : unknown.getLast();
  }

  private static void resolveWithoutEffect(Draft draft, Principal by) {
    for (LeaseRecord each : draft.facts().unknownLeases()) {
      draft.add(
          meta ->
              new HeldCallEvent.LeaseEndedWithoutEffect(
                  meta, each.lease().leaseId(), "resolved by " + by.id()));
    }
    draft.add(
        meta ->
            new HeldCallEvent.CallCancelled(
                meta, by.id(), "the outcome was unknown and was resolved as no effect"));
  }

  private static Instant latestSettle(HeldCallFacts facts) {
    return facts.unknownLeases().stream()
        .map(each -> each.lease().settlesAt())
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  private static @Nullable Rejection mayResolve(HeldCallFacts facts, Principal by) {
    Rejection missing = Access.toKnow(facts, by);
    if (missing != null) {
      return missing;
    }
    if (!by.has(Role.OPERATOR)) {
      return Rejection.of(Problem.FORBIDDEN, "only an operator resolves an unknown outcome");
    }
    return Access.isProposersSide(facts, by)
        ? Rejection.of(Problem.FORBIDDEN, "the proposer and its delegates resolve nothing")
        : null;
  }
}
