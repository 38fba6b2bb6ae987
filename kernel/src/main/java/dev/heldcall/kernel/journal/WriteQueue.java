package dev.heldcall.kernel.journal;

import dev.heldcall.kernel.store.DataFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Group commit: one thread takes whatever writes have queued up while the last commit was under
 * way, and commits them together; it never lingers for more. One thread, so that the order of
 * commits is the order of {@code ordering}, and of the writes of each actor.
 *
 * <p>A write is atomic and fails by itself: if a group is refused for what one of its writes says,
 * a sequence number that is taken or a value too long, its writes are tried one by one. After a
 * failed write of an incarnation of an actor its others fail too, or there would be a gap. A
 * connection that breaks in a commit leaves it open whether that took place: the writes fail and
 * are not tried again; the actors recover and see.
 *
 * <p>A node without contact to its cluster writes nothing ({@link ClusterContact}).
 */
final class WriteQueue implements AutoCloseable {

  /** Writes that may wait; more fail at once. */
  static final int CAPACITY = 16_384;

  /** Events that a group may have before it takes no further write. */
  static final int GROUP_EVENTS = 1_024;

  /** A later write of an incarnation that failed has been waiting or under way by then. */
  private static final int REMEMBERED_FAILURES = CAPACITY + GROUP_EVENTS;

  private final DataSource pool;
  private final JournalTable table;
  private final BooleanSupplier mayWrite;
  private final BlockingQueue<Write> waiting = new ArrayBlockingQueue<>(CAPACITY);
  private final Latest<Boolean> failed = new Latest<>(REMEMBERED_FAILURES);
  private final Thread thread;
  private volatile boolean closed;

  /**
   * What one call of the journal writes.
   *
   * @param rows the events, of whole atomic writes
   * @param done completes once they are durable
   */
  private record Write(List<EventRow> rows, CompletableFuture<Void> done) {}

  /** Wakes the thread at the end. */
  private static final Write NOTHING = new Write(List.of(), new CompletableFuture<>());

  /**
   * Writes to the table.
   *
   * @param mayWrite asked before each group; if not, it fails
   */
  WriteQueue(DataSource pool, JournalTable table, BooleanSupplier mayWrite) {
    this.pool = pool;
    this.table = table;
    this.mayWrite = mayWrite;
    this.thread = Thread.ofPlatform().name("heldcall-journal-writer").daemon(true).start(this::run);
  }

  /** Writes the rows, all or none; the stage fails if they are not known to be durable. */
  CompletableFuture<Void> write(List<EventRow> rows) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Write write = new Write(rows, new CompletableFuture<>());
    if (!closed && !waiting.offer(write)) {
      fail(write, new RejectedExecutionException(CAPACITY + " writes wait for the journal"));
    } else if (closed) {
      // The thread may have ended before it could see this one.
      var _ = waiting.remove(write);
      fail(write, new RejectedExecutionException("the journal is closed"));
    }
    return write.done();
  }

  private void run() {
    try {
      while (!closed) {
        writeGroup(nextGroup());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Write write = waiting.poll(); write != null; write = waiting.poll()) {
      write.done().completeExceptionally(new RejectedExecutionException("the journal is closed"));
    }
  }

  private List<Write> nextGroup() throws InterruptedException {
    List<Write> group = new ArrayList<>();
    Write next = waiting.take();
    int events = 0;
    while (next != null) {
      group.add(next);
      events += next.rows().size();
      next = events < GROUP_EVENTS ? waiting.poll() : null;
    }
    return group;
  }

  private void writeGroup(List<Write> group) {
    List<Write> sound = new ArrayList<>(group.size());
    List<EventRow> rows = new ArrayList<>();
    for (Write write : group) {
      if (followsAFailure(write)) {
        fail(write, new SQLException("an earlier write of this incarnation failed"));
      } else {
        sound.add(write);
        rows.addAll(write.rows());
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    try (Connection connection = pool.getConnection()) {
      if (!mayWrite.getAsBoolean()) {
        throw new IllegalStateException("this node has no contact with its cluster");
      }
      table.write(connection, rows);
    } catch (SQLException | RuntimeException | Error e) {
      if (sound.size() > 1 && e instanceof SQLException sql && DataFault.isCauseOf(sql)) {
        sound.forEach(write -> writeGroup(List.of(write)));
      } else {
        sound.forEach(write -> fail(write, e));
      }
      return;
    }
    sound.forEach(write -> write.done().complete(null));
  }

  private boolean followsAFailure(Write write) {
    return !failed.isEmpty()
        && write.rows().stream().anyMatch(row -> failed.contains(incarnation(row)));
  }

  private void fail(Write write, Throwable why) {
    Set<String> incarnations = new HashSet<>();
    write.rows().forEach(row -> incarnations.add(incarnation(row)));
    incarnations.forEach(each -> failed.put(each, true));
    write.done().completeExceptionally(why);
  }

  private static String incarnation(EventRow row) {
    return row.writer() + " " + row.persistenceId();
  }

  /**
   * Ends after the group that is under way; what has not been begun fails. The thread is never
   * interrupted: that would close the embedded database's file under it.
   */
  @Override
  public void close() {
    closed = true;
    var _ = waiting.offer(NOTHING);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
