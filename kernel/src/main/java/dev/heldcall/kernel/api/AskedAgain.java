package dev.heldcall.kernel.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Asks again while there is no answer. A message to a call whose shard is moving may be lost with
 * nobody to know it: between nodes it is sent at most once. Who would be told "not known, ask
 * again" after the whole time-out can be spared that, as long as asking twice does no more than
 * asking once.
 */
final class AskedAgain {

  private AskedAgain() {}

  /**
   * The first answer to any of the questions; the failure of the first one if that comes before any
   * answer.
   *
   * @param ask puts the question; it must be harmless to put it more than once
   * @param pause completes when it is time to ask again; is cancelled when an answer came
   * @param most how often it is asked, the first time included
   */
  static <T> CompletionStage<T> ask(
      Supplier<CompletionStage<T>> ask, Supplier<CompletableFuture<Void>> pause, int most) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    CompletionStage<T> first = ask.get();
    first.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
    again(answer, ask, pause, most - 1);
    return answer;
  }

  private static <T> void again(
      CompletableFuture<T> answer,
      Supplier<CompletionStage<T>> ask,
      Supplier<CompletableFuture<Void>> pause,
      int left) {
    if (left == 0 || answer.isDone()) {
      return;
    }
    CompletableFuture<Void> due = pause.get();
    var _ = answer.whenComplete((value, failure) -> due.cancel(false));
    var _ =
        due.thenRun(
            () -> {
              if (!answer.isDone()) {
                ask.get()
                    .whenComplete(
                        (value, failure) -> {
                          if (failure == null) {
                            answer.complete(value);
                          }
                        });
                again(answer, ask, pause, left - 1);
              }
            });
  }
}
