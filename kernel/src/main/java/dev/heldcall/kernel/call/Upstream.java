package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Digest;
import org.jspecify.annotations.Nullable;

/**
 * What a call that another one depends on was when it was last seen.
 *
 * @param callDigest its content
 * @param resultDigest its result's content, or null while it has none
 */
public record Upstream(Digest callDigest, @Nullable Digest resultDigest) {

  /** A proposed call as it stands. */
  public static Upstream of(HeldCallFacts facts) {
    CallOutcome outcome = facts.outcome();
    return new Upstream(
        facts.requireGeneration().callDigest(), outcome == null ? null : outcome.contentDigest());
  }

  /** Whether something else is there to be seen now, a change or the result that was awaited. */
  boolean tellsLessThan(Upstream now) {
    return isOvertakenBy(now) || (resultDigest == null && now.resultDigest != null);
  }

  /**
   * Whether what was witnessed with this in view was witnessed against something else than stands
   * now. A result that comes to a call as it was seen is what everybody waited for, and no change.
   */
  boolean isOvertakenBy(Upstream now) {
    return !callDigest.equals(now.callDigest)
        || (resultDigest != null && !resultDigest.equals(now.resultDigest));
  }
}
