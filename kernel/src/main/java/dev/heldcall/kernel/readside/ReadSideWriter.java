package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.store.DataFault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this node's calls to the read side, many with one transaction. What somebody waits for, a
 * conclusion or an acknowledgement, is written at once, together with whatever came while the
 * transaction before was under way; a mere change of a row lingers for {@value #LINGER_MILLIS} ms,
 * in which the call's next change takes its place.
 *
 * <p>It is only fast. What it loses, by a crash, a full queue or a failed write, {@link
 * JournalTail} finds missing and makes good.
 */
public final class ReadSideWriter implements AutoCloseable {

  /** How long a row that nobody waits for may lag, in milliseconds. */
  static final long LINGER_MILLIS = 100;

  /** Calls that may wait to be written. */
  static final int CAPACITY = 20_000;

  private static final int GROUP = 256;
  private static final Logger LOG = LoggerFactory.getLogger(ReadSideWriter.class);

  private final Tables tables;
  private final MailboxBell bell;
  private final LongSupplier nanos;
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Map<String, Pending> pending = new LinkedHashMap<>();
  private final Thread thread;
  private boolean urgent;
  private boolean closed;

  /** Completes when the group that is being written is. */
  private volatile CompletableFuture<Void> current = CompletableFuture.completedFuture(null);

  /** Where calls are written to: {@link ReadSideTables#write}. */
  @FunctionalInterface
  interface Tables {
    List<Mailbox.Appended> write(Collection<ReadSideTables.Seen> calls) throws SQLException;
  }

  private static final class Pending {
    private ReadSideTables.Seen call;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>(1);
    private final long since;

    private Pending(ReadSideTables.Seen call, long since) {
      this.call = call;
      this.since = since;
    }
  }

  /** Writes to {@code tables}, and rings {@code bell} for those who wait for a delivery. */
  public ReadSideWriter(ReadSideTables tables, MailboxBell bell) {
    this(tables::write, bell, System::nanoTime, CAPACITY);
  }

  /**
   * A writer of another time and size.
   *
   * @param nanos a monotonic time
   * @param capacity how many calls may wait
   */
  ReadSideWriter(Tables tables, MailboxBell bell, LongSupplier nanos, int capacity) {
    this.tables = tables;
    this.bell = bell;
    this.nanos = nanos;
    this.capacity = capacity;
    this.thread = Thread.ofPlatform().name("heldcall-read-side").daemon(true).start(this::run);
  }

  /** The call has changed; its row is written soon. */
  public void changed(HeldCallFacts facts, long sequence) {
    lock.lock();
    try {
      ReadSideTables.Seen call = new ReadSideTables.Seen(facts, sequence, false);
      if (!closed && hasRoom(call)) {
        put(call);
        if (pending.size() == 1) {
          work.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes the call now; completes once that is committed. */
  public CompletableFuture<Void> write(HeldCallFacts facts, long sequence) {
    return write(new ReadSideTables.Seen(facts, sequence, false));
  }

  CompletableFuture<Void> write(ReadSideTables.Seen call) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      if (closed || !hasRoom(call)) {
        done.completeExceptionally(
            new RejectedExecutionException(
                closed ? "the read side is closed" : capacity + " calls wait for the read side"));
        return done;
      }
      put(call).waiting.add(done);
      urgent = true;
      work.signal();
      return done;
    } finally {
      lock.unlock();
    }
  }

  /** Writes all that has changed so far; completes once lists show it, or that was tried. */
  public CompletableFuture<Void> flushed() {
    lock.lock();
    try {
      List<CompletableFuture<Void>> all = new ArrayList<>(List.of(current));
      for (Pending each : pending.values()) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        each.waiting.add(done);
        all.add(done);
      }
      urgent |= !pending.isEmpty();
      work.signal();
      return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .handle((done, failure) -> null);
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(ReadSideTables.Seen call) {
    return pending.size() < capacity || pending.containsKey(call.heldId());
  }

  private Pending put(ReadSideTables.Seen call) {
    Pending known =
        pending.computeIfAbsent(call.heldId(), id -> new Pending(call, nanos.getAsLong()));
    if (call.sequence() >= known.call.sequence()) {
      known.call = call;
    }
    return known;
  }

  private void run() {
    try {
      for (Collection<Pending> group = next(); group != null; group = next()) {
        write(group);
        current.complete(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next group, oldest first; null at the end. */
  private @Nullable Collection<Pending> next() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        long left = pending.isEmpty() ? Long.MAX_VALUE : untilDue();
        if (closed && pending.isEmpty()) {
          return null;
        }
        if (closed || urgent || left <= 0) {
          break;
        }
        if (left == Long.MAX_VALUE) {
          work.await();
        } else {
          var _ = work.awaitNanos(left);
        }
      }
      List<Pending> group = new ArrayList<>();
      var each = pending.values().iterator();
      // What nobody waits for goes along only when it is due: it may change again.
      boolean all = closed || pending.size() > capacity / 2;
      while (each.hasNext() && group.size() < GROUP) {
        Pending candidate = each.next();
        if (all || !candidate.waiting.isEmpty() || dueIn(candidate) <= 0) {
          group.add(candidate);
          each.remove();
        }
      }
      urgent = pending.values().stream().anyMatch(left -> !left.waiting.isEmpty());
      current = new CompletableFuture<>();
      return group;
    } finally {
      lock.unlock();
    }
  }

  private long untilDue() {
    return dueIn(pending.values().iterator().next());
  }

  private long dueIn(Pending each) {
    return each.since + TimeUnit.MILLISECONDS.toNanos(LINGER_MILLIS) - nanos.getAsLong();
  }

  private void write(Collection<Pending> group) {
    if (group.isEmpty()) {
      return;
    }
    List<Mailbox.Appended> appended;
    try {
      appended = tables.write(group.stream().map(each -> each.call).toList());
    } catch (SQLException | RuntimeException | Error e) {
      boolean lost = e instanceof SQLException sql && DataFault.isLostConnection(sql);
      if (group.size() > 1 && !lost) {
        group.forEach(each -> write(List.of(each)));
      } else {
        group.forEach(each -> fail(each, e));
      }
      return;
    }
    Map<String, List<Mailbox.Item>> rings = new LinkedHashMap<>();
    for (Mailbox.Appended each : appended) {
      rings.computeIfAbsent(each.sessionKey(), key -> new ArrayList<>()).add(each.item());
    }
    rings.forEach(bell::ring);
    group.forEach(each -> each.waiting.forEach(done -> done.complete(null)));
  }

  private static void fail(Pending each, Throwable why) {
    LOG.warn("{}: the read side could not be written: {}", each.call.heldId(), why.toString());
    each.waiting.forEach(done -> done.completeExceptionally(why));
  }

  /** Writes what is left and ends, within 5 s. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      var _ = thread.join(java.time.Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
