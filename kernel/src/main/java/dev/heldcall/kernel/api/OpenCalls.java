package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.readside.CallIndex;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many calls a principal, and each of its sessions, may have open, so that one agent's
 * holds do not stall everyone else. The counts come from the index every few seconds, with this
 * node's proposals since then added: the bound may be passed by a little, never by much.
 */
final class OpenCalls {

  private static final long FRESH_MILLIS = 2_000;
  private static final int MAX_KEYS = 100_000;

  private final CallIndex index;
  private final JdbcExecutor jdbc;
  private final Clock clock;
  private final int perPrincipal;
  private final int perSession;
  private final Map<Object, Count> counts = new ConcurrentHashMap<>();

  OpenCalls(CallIndex index, JdbcExecutor jdbc, Clock clock, int perPrincipal, int perSession) {
    this.index = index;
    this.jdbc = jdbc;
    this.clock = clock;
    this.perPrincipal = perPrincipal;
    this.perSession = perSession;
  }

  private static final class Count {
    volatile int counted;
    volatile long at;
    final AtomicInteger since = new AtomicInteger();

    int now() {
      return counted + since.get();
    }
  }

  /** Counts a proposal in, or says why it is refused. */
  @Nullable Rejection refuse(PrincipalRef principal, String sessionKey) {
    if (counts.size() > MAX_KEYS) {
      counts.clear();
    }
    Count own = counts.computeIfAbsent(principal, key -> new Count());
    Count session = counts.computeIfAbsent(sessionKey, key -> new Count());
    refresh(own, () -> index.countOpen(principal));
    refresh(session, () -> index.countOpenInSession(sessionKey));
    if (own.now() >= perPrincipal) {
      return Rejection.of(
          Problem.TOO_MANY_CALLS,
          "this principal has "
              + own.now()
              + " open calls, at most "
              + perPrincipal
              + " are allowed");
    }
    if (session.now() >= perSession) {
      return Rejection.of(
          Problem.TOO_MANY_CALLS,
          "this session has "
              + session.now()
              + " open calls, at most "
              + perSession
              + " are allowed");
    }
    own.since.incrementAndGet();
    session.since.incrementAndGet();
    return null;
  }

  private void refresh(Count count, JdbcExecutor.Query<Integer> query) {
    long now = clock.millis();
    if (now - count.at < FRESH_MILLIS) {
      return;
    }
    count.at = now;
    int before = count.since.get();
    CompletableFuture<Integer> unused =
        jdbc.ask(query)
            .whenComplete(
                (counted, failure) -> {
                  if (failure == null) {
                    count.counted = counted;
                    count.since.addAndGet(-before);
                  }
                });
  }
}
