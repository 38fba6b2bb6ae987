package dev.heldcall.kernel.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;

/**
 * Reads the beginnings of journals for recoveries: those that are asked for while one read is under
 * way share the next. Nearly every actor's whole journal is its beginning, and a new actor's is
 * empty.
 */
final class ReadQueue implements AutoCloseable {

  /** Recoveries that may wait; more fail at once. */
  static final int CAPACITY = 16_384;

  /** Actors that one statement reads. */
  static final int GROUP = 128;

  /** Events of an actor that are read with the others'; of a longer journal the rest follows. */
  static final int BEGINNING = 64;

  private final DataSource pool;
  private final JournalTable table;
  private final BlockingQueue<Read> waiting = new ArrayBlockingQueue<>(CAPACITY);
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  private record Read(String persistenceId, CompletableFuture<Beginning> done) {}

  /**
   * The beginning of a journal.
   *
   * @param rows its first events, deleted ones too
   * @param highest the greatest sequence number of all
   */
  record Beginning(List<EventRow> rows, long highest) {

    /** Whether it is all there is. */
    boolean whole() {
      return rows.isEmpty() ? highest == 0 : rows.getLast().sequenceNumber() == highest;
    }
  }

  /** Wakes a thread at the end. */
  private static final Read NOTHING = new Read("", new CompletableFuture<>());

  ReadQueue(DataSource pool, JournalTable table, int readers) {
    this.pool = pool;
    this.table = table;
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofPlatform().name("heldcall-journal-reader-" + i).daemon(true).start(this::run));
    }
  }

  /** Reads the beginning of an actor's journal. */
  CompletableFuture<Beginning> read(String persistenceId) {
    Read read = new Read(persistenceId, new CompletableFuture<>());
    if (closed || !waiting.offer(read)) {
      read.done()
          .completeExceptionally(
              new RejectedExecutionException(
                  closed ? "the journal is closed" : CAPACITY + " recoveries wait"));
    }
    return read.done();
  }

  private void run() {
    try {
      while (!closed) {
        List<Read> group = new ArrayList<>();
        group.add(waiting.take());
        waiting.drainTo(group, GROUP - 1);
        readGroup(group);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Read read = waiting.poll(); read != null; read = waiting.poll()) {
      read.done().completeExceptionally(new RejectedExecutionException("the journal is closed"));
    }
    var _ = waiting.offer(NOTHING); // for the other threads
  }

  private void readGroup(List<Read> all) {
    List<Read> group = all.stream().filter(read -> read != NOTHING).toList();
    if (group.isEmpty()) {
      return;
    }
    Map<String, List<EventRow>> found = new HashMap<>();
    group.forEach(read -> found.put(read.persistenceId(), new ArrayList<>()));
    Map<String, Beginning> beginnings = new HashMap<>();
    try (Connection connection = pool.getConnection()) {
      for (EventRow row : table.firstRows(connection, found.keySet(), BEGINNING)) {
        found.computeIfAbsent(row.persistenceId(), id -> new ArrayList<>()).add(row);
      }
      for (Map.Entry<String, List<EventRow>> each : found.entrySet()) {
        beginnings.put(each.getKey(), beginning(connection, each.getKey(), each.getValue()));
      }
    } catch (SQLException | RuntimeException e) {
      group.forEach(read -> read.done().completeExceptionally(e));
      return;
    }
    group.forEach(read -> read.done().complete(beginnings.get(read.persistenceId())));
  }

  /** Rows are never removed, so a short beginning is the whole. */
  private Beginning beginning(Connection connection, String id, List<EventRow> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return new Beginning(rows, 0);
    }
    long last = rows.getLast().sequenceNumber();
    return new Beginning(rows, last < BEGINNING ? last : table.highest(connection, id));
  }

  /** Ends after the reads that are under way, whose threads are never interrupted. */
  @Override
  public void close() {
    closed = true;
    var _ = waiting.offer(NOTHING);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
