package dev.heldcall.plugin.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The witness stage: asks somebody outside about one held call, and brings back what they say. A
 * provider decides nothing. What it brings is judged by the same verifier as everyone else's
 * attestations, under the provider's own identity, and one that is down, slow, wrong or silent
 * leaves the call held, with its reason shown.
 *
 * <p><b>Asking once.</b> Before {@link #ask} is called, the wish to ask is in the database; after
 * it, its answer is. A node that dies between the two leaves a request of which nobody knows
 * whether it went out: one that is {@link ProviderContract#repeatable() repeatable} is asked again
 * under the same {@link WitnessRequest#requestId() request id}; for any other {@link #recover} is
 * called instead, and never {@code ask} again.
 *
 * <p><b>Bounds.</b> Every stage must complete within {@link ProviderContract#timeout()}; the kernel
 * does not wait longer, and counts a later answer, a failed stage and an exception as {@link
 * WitnessAnswer.Unavailable}. Methods are called from many threads at once and must not block: work
 * that blocks goes to {@link ProviderServices#blocking()}.
 */
public interface WitnessProvider extends AutoCloseable {

  /** Puts a request out, or answers it at once. */
  CompletionStage<WitnessAnswer> ask(WitnessRequest request);

  /**
   * Looks how a request stands that is out: after the pause that {@link WitnessAnswer.Waiting}
   * named, after a poke from outside, a reminder, or a restart.
   *
   * @param reference what {@code Waiting} named it by
   */
  default CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return CompletableFuture.completedFuture(new WitnessAnswer.Waiting(reference, null, null));
  }

  /**
   * Finds out whether a request went out whose answer was lost, when it must not be asked twice.
   */
  default CompletionStage<WitnessAnswer> recover(WitnessRequest request) {
    return CompletableFuture.completedFuture(
        new WitnessAnswer.InDoubt(
            "whether the request arrived is not known, and it is not asked twice"));
  }

  /** Takes what came of the governed call that {@link WitnessAnswer.Nested} asked for. */
  default CompletionStage<WitnessAnswer> nested(WitnessRequest request, NestedOutcome outcome) {
    return CompletableFuture.completedFuture(
        new WitnessAnswer.Unavailable("this provider asks for no governed call", false));
  }

  /** How long before a call's end whoever was asked is reminded, longest first; at most 8. */
  default List<Duration> remindBefore() {
    return List.of();
  }

  /** Reminds whoever was asked that the call's time runs out. Its failure changes nothing. */
  default CompletionStage<Void> remind(WitnessRequest request, String reference) {
    return CompletableFuture.completedFuture(null);
  }

  /** Takes a request back that is no longer wanted. Repeated until it succeeds once. */
  default CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Takes in a message that somebody posted to {@code /witnesses/{provider}/incoming}. It has no
   * token: the provider must check who sent it before anything else.
   */
  default IncomingWitness incoming(IncomingMessage message) {
    return new IncomingWitness.Answered(
        IncomingReply.refused(
            IncomingReply.RefusalKind.NOT_FOUND, "this witness provider takes no messages"));
  }

  /** Lets go of connections and threads. May be called more than once. */
  @Override
  void close();
}
