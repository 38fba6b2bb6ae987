package dev.heldcall.kernel.journal;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A journal's table that lets a statement pass when the test says so, and notes what each held. */
final class GatedTable extends JournalTable {

  private static final int OPEN = 1_000_000;

  /** The sizes of the writes, in events. */
  final List<Integer> writes = new CopyOnWriteArrayList<>();

  /** How many actors each read was for. */
  final List<Integer> reads = new CopyOnWriteArrayList<>();

  private final @Nullable JournalTable real;
  private final Semaphore gate = new Semaphore(0);
  private final AtomicReference<@Nullable Error> nextThrows = new AtomicReference<>();

  /** Before {@code real}, or before no table at all. */
  GatedTable(@Nullable JournalTable real) {
    this.real = real;
  }

  GatedTable open() {
    gate.release(OPEN);
    return this;
  }

  /** So many statements may pass. */
  void pass(int statements) {
    gate.release(statements);
  }

  /** What is written next dies of it. */
  void nextThrows(Error error) {
    nextThrows.set(error);
  }

  /** Waits until somebody stands at the gate. */
  void awaitSomebody() {
    await().atMost(Duration.ofSeconds(30)).until(gate::hasQueuedThreads);
  }

  private void pass() {
    gate.acquireUninterruptibly();
    Error error = nextThrows.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  @Override
  void write(Connection connection, List<EventRow> rows) throws SQLException {
    writes.add(rows.size());
    pass();
    if (real != null) {
      real.write(connection, rows);
    }
  }

  @Override
  List<EventRow> firstRows(Connection connection, Collection<String> ids, long last)
      throws SQLException {
    reads.add(ids.size());
    pass();
    return real == null ? List.of() : real.firstRows(connection, ids, last);
  }

  @Override
  String oneOf(int count) {
    throw new UnsupportedOperationException("firstRows is answered without SQL");
  }

  @Override
  int bindIds(PreparedStatement statement, int first, Collection<String> ids) {
    throw new UnsupportedOperationException("firstRows is answered without SQL");
  }
}
