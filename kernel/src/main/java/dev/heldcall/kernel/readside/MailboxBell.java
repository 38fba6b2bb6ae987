package dev.heldcall.kernel.readside;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Rings when this node has put something into a mailbox, for those who wait at it. It is only for
 * speed: whoever waits looks again by itself.
 */
public final class MailboxBell {

  private final Map<String, Set<CompletableFuture<Void>>> waiting = new ConcurrentHashMap<>();

  /** Completes at the next ring for the session, or never. */
  public CompletableFuture<Void> next(String sessionKey) {
    CompletableFuture<Void> ring = new CompletableFuture<>();
    waiting.compute(
        sessionKey,
        (key, known) -> {
          Set<CompletableFuture<Void>> all = known == null ? ConcurrentHashMap.newKeySet() : known;
          all.add(ring);
          return all;
        });
    return ring;
  }

  /** Stops waiting. */
  public void forget(String sessionKey, CompletableFuture<Void> ring) {
    waiting.computeIfPresent(
        sessionKey,
        (key, known) -> {
          known.remove(ring);
          return known.isEmpty() ? null : known;
        });
  }

  /** Something was put into the session's mailbox. */
  public void ring(String sessionKey) {
    Set<CompletableFuture<Void>> all = waiting.remove(sessionKey);
    if (all != null) {
      all.forEach(each -> each.complete(null));
    }
  }
}
