package dev.heldcall.kernel.journal;

import dev.heldcall.kernel.store.Batches;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
  private final Batches<String, Beginning> reads;

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

  ReadQueue(DataSource pool, JournalTable table, int readers) {
    this.pool = pool;
    this.table = table;
    this.reads =
        new Batches<>("heldcall-journal-reader", readers, CAPACITY, GROUP, this::beginnings);
  }

  /** Reads the beginning of an actor's journal. */
  CompletableFuture<Beginning> read(String persistenceId) {
    return reads.ask(persistenceId);
  }

  private List<Beginning> beginnings(List<String> persistenceIds) throws SQLException {
    Map<String, List<EventRow>> found = new HashMap<>();
    persistenceIds.forEach(id -> found.put(id, new ArrayList<>()));
    List<Beginning> beginnings = new ArrayList<>();
    try (Connection connection = pool.getConnection()) {
      for (EventRow row : table.firstRows(connection, found.keySet(), BEGINNING)) {
        found.computeIfAbsent(row.persistenceId(), id -> new ArrayList<>()).add(row);
      }
      for (String id : persistenceIds) {
        beginnings.add(beginning(connection, id, found.getOrDefault(id, List.of())));
      }
    }
    return beginnings;
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

  @Override
  public void close() {
    reads.close();
  }
}
