package dev.heldcall.kernel.api;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Whether this node is about to leave. Whoever waits here for something to come is then answered as
 * things stand, so that no request has to be cut off.
 */
final class Leaving {

  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean told;

  /** Is told at the beginning of the system's coordinated shutdown. */
  static Leaving of(ActorSystem<?> system) {
    Leaving leaving = new Leaving();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "answer-who-waits",
            () -> {
              leaving.tell();
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return leaving;
  }

  void tell() {
    told = true;
    waiting.forEach(Runnable::run);
  }

  boolean isTold() {
    return told;
  }

  /**
   * The answer that is waited for, or how things stand once this node leaves.
   *
   * @param answer may take long
   * @param now asks how things stand
   * @param enough whether that can be given for an answer
   */
  <T> CompletionStage<T> orNow(
      CompletionStage<T> answer, Supplier<CompletionStage<T>> now, Predicate<T> enough) {
    CompletableFuture<T> first = new CompletableFuture<>();
    Runnable look =
        () ->
            now.get()
                .whenComplete(
                    (standing, failure) -> {
                      if (failure == null && enough.test(standing)) {
                        first.complete(standing);
                      }
                    });
    waiting.add(look);
    if (told) {
      look.run();
    }
    answer.whenComplete(
        (value, failure) -> {
          waiting.remove(look);
          if (failure == null) {
            first.complete(value);
          } else {
            first.completeExceptionally(failure);
          }
        });
    return first;
  }
}
