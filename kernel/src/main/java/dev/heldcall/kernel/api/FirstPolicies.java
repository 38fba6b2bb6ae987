package dev.heldcall.kernel.api;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The first read of every organization's policy, without which a node is not ready. */
final class FirstPolicies {

  private static final long PAUSE_MILLIS = 200;

  private FirstPolicies() {}

  /**
   * Reads them, and again while the database does not answer and there is time; what cannot be
   * understood fails at once.
   *
   * @param read reads one organization's policy
   * @param hasTime whether it may be tried again
   */
  static CompletionStage<Void> read(
      Collection<String> organizations,
      Function<String, CompletionStage<?>> read,
      BooleanSupplier hasTime) {
    CompletableFuture<?>[] reads =
        organizations.stream()
            .map(each -> read.apply(each).toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(reads)
        .exceptionallyCompose(
            failure -> {
              Throwable cause =
                  failure instanceof CompletionException && failure.getCause() != null
                      ? failure.getCause()
                      : failure;
              if (!(cause instanceof PolicyUnreachableException) || !hasTime.getAsBoolean()) {
                return CompletableFuture.failedFuture(cause);
              }
              return CompletableFuture.supplyAsync(
                      () -> hasTime,
                      CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                  .thenCompose(again -> read(organizations, read, again).toCompletableFuture());
            });
  }
}
