package dev.heldcall.kernel.readside;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rings when this node has put something into a mailbox, for those who wait at it. It is only for
 * speed: whoever waits looks again by itself.
 */
public final class MailboxBell {

  private final Map<String, Map<Long, CompletableFuture<List<Mailbox.Item>>>> waiting =
      new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();

  /**
   * Somebody who waits.
   *
   * @param id tells it from others
   * @param rung completes at the next ring with what was put in, or never
   */
  public record Waiting(long id, CompletableFuture<List<Mailbox.Item>> rung) {}

  /** Waits for the next ring for the session. */
  public Waiting await(String sessionKey) {
    Waiting one = new Waiting(lastId.incrementAndGet(), new CompletableFuture<>());
    waiting.compute(
        sessionKey,
        (key, known) -> {
          Map<Long, CompletableFuture<List<Mailbox.Item>>> all =
              known == null ? new ConcurrentHashMap<>() : known;
          all.put(one.id(), one.rung());
          return all;
        });
    return one;
  }

  /** Stops waiting. */
  public void forget(String sessionKey, Waiting one) {
    waiting.computeIfPresent(
        sessionKey,
        (key, known) -> {
          known.remove(one.id());
          return known.isEmpty() ? null : known;
        });
  }

  /**
   * Something was put into the session's mailbox.
   *
   * @param items what, in order, as far as the ringer knows
   */
  public void ring(String sessionKey, List<Mailbox.Item> items) {
    Map<Long, CompletableFuture<List<Mailbox.Item>>> all = waiting.remove(sessionKey);
    if (all != null) {
      all.values().forEach(each -> each.complete(items));
    }
  }
}
