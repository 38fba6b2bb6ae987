package dev.heldcall.kernel.journal;

import dev.heldcall.kernel.journal.EventRow.Content;
import dev.heldcall.kernel.store.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The statements on {@code event_journal}, for each database the cheapest that does it. */
abstract class JournalTable {

  private static final String COLUMNS =
      "persistence_id, sequence_number, deleted, writer, write_timestamp, adapter_manifest,"
          + " event_ser_id, event_ser_manifest, event_payload,"
          + " meta_ser_id, meta_ser_manifest, meta_payload";

  /** Of the database that a JDBC URL leads to. */
  static JournalTable of(String url) {
    return url.startsWith("jdbc:postgresql:") ? new Postgresql() : new H2();
  }

  /**
   * Writes rows and commits them: all or none are there afterwards.
   *
   * @throws SQLException none is there, or, if the connection broke in the commit, all may be
   */
  abstract void write(Connection connection, List<EventRow> rows) throws SQLException;

  /** The condition that a persistence id is one of those bound next. */
  abstract String oneOf(int count);

  /** Binds the ids of {@link #oneOf} from the parameter {@code first} on; answers the next one. */
  abstract int bindIds(PreparedStatement statement, int first, Collection<String> ids)
      throws SQLException;

  /**
   * The first rows of several actors, deleted ones too, in order for each actor.
   *
   * @param last the greatest sequence number wanted
   */
  List<EventRow> firstRows(Connection connection, Collection<String> ids, long last)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM event_journal WHERE "
            + oneOf(ids.size())
            + " AND sequence_number <= ? ORDER BY persistence_id, sequence_number";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      int next = bindIds(select, 1, ids);
      select.setLong(next, last);
      return rows(select);
    }
  }

  /** One actor's rows with these numbers, at most {@code limit}, deleted ones left out. */
  List<EventRow> rows(Connection connection, String id, long first, long last, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + " FROM event_journal WHERE persistence_id = ? AND sequence_number >= ?"
            + " AND sequence_number <= ? AND deleted = FALSE ORDER BY sequence_number LIMIT ?";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, id);
      select.setLong(2, first);
      select.setLong(3, last);
      select.setInt(4, limit);
      return rows(select);
    }
  }

  /** The greatest sequence number of an actor, 0 if it has no event; deleted ones count. */
  long highest(Connection connection, String id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT MAX(sequence_number) FROM event_journal WHERE persistence_id = ?")) {
      select.setString(1, id);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /** Deletes an actor's events up to a number: the rows stay, empty, for their numbers. */
  void delete(Connection connection, String id, long last) throws SQLException {
    try (PreparedStatement mark =
        connection.prepareStatement(
            "UPDATE event_journal SET deleted = TRUE, event_payload = ?, meta_payload = NULL"
                + " WHERE persistence_id = ? AND sequence_number <= ? AND deleted = FALSE")) {
      mark.setBytes(1, new byte[0]);
      mark.setString(2, id);
      mark.setLong(3, last);
      mark.executeUpdate();
    }
  }

  private static List<EventRow> rows(PreparedStatement select) throws SQLException {
    List<EventRow> found = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        byte[] metadata = row.getBytes(12);
        found.add(
            new EventRow(
                row.getString(1),
                row.getLong(2),
                row.getBoolean(3),
                row.getString(4),
                row.getLong(5),
                row.getString(6),
                new Content(row.getInt(7), row.getString(8), row.getBytes(9)),
                metadata == null
                    ? null
                    : new Content(row.getInt(10), row.getString(11), metadata)));
      }
    }
    return found;
  }

  /** One statement with an array a column; by itself it is the transaction. */
  private static final class Postgresql extends JournalTable {

    private static final String INSERT =
        "INSERT INTO event_journal ("
            + COLUMNS
            + ") SELECT i, s, d, w, t, a, e, m, p, me, mm, mp FROM unnest(?::text[], ?::bigint[],"
            + " ?::boolean[], ?::text[], ?::bigint[], ?::text[], ?::int[], ?::text[], ?::bytea[],"
            + " ?::int[], ?::text[], ?::bytea[]) AS row (i, s, d, w, t, a, e, m, p, me, mm, mp)";

    @Override
    void write(Connection connection, List<EventRow> rows) throws SQLException {
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        new Columns<>(insert, rows)
            .text(EventRow::persistenceId)
            .bigint(EventRow::sequenceNumber)
            .bool(EventRow::deleted)
            .text(EventRow::writer)
            .bigint(EventRow::writeTimestamp)
            .text(EventRow::adapterManifest)
            .integer(row -> row.event().serializerId())
            .text(row -> row.event().manifest())
            .bytes(row -> row.event().bytes())
            .integer(row -> row.metadata() == null ? null : row.metadata().serializerId())
            .text(row -> row.metadata() == null ? null : row.metadata().manifest())
            .bytes(row -> row.metadata() == null ? null : row.metadata().bytes());
        insert.executeUpdate();
      }
    }

    @Override
    String oneOf(int count) {
      return "persistence_id = ANY (?)";
    }

    @Override
    int bindIds(PreparedStatement statement, int first, Collection<String> ids)
        throws SQLException {
      statement.setArray(
          first, statement.getConnection().createArrayOf("text", ids.toArray(String[]::new)));
      return first + 1;
    }
  }

  /** A batch of single inserts in one transaction: the database is in this process. */
  private static final class H2 extends JournalTable {

    private static final String INSERT =
        "INSERT INTO event_journal (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    @Override
    void write(Connection connection, List<EventRow> rows) throws SQLException {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (EventRow row : rows) {
          bind(insert, row);
          insert.executeUpdate();
        }
        connection.commit();
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(connection, e);
        throw e;
      }
      connection.setAutoCommit(true);
    }

    /** Back to auto-commit only after a rollback: setting it commits what is open. */
    private static void rollBack(Connection connection, Throwable reason) {
      try {
        connection.rollback();
        connection.setAutoCommit(true);
      } catch (SQLException e) {
        reason.addSuppressed(e);
      }
    }

    private static void bind(PreparedStatement insert, EventRow row) throws SQLException {
      insert.setString(1, row.persistenceId());
      insert.setLong(2, row.sequenceNumber());
      insert.setBoolean(3, row.deleted());
      insert.setString(4, row.writer());
      insert.setLong(5, row.writeTimestamp());
      insert.setString(6, row.adapterManifest());
      insert.setInt(7, row.event().serializerId());
      insert.setString(8, row.event().manifest());
      insert.setBytes(9, row.event().bytes());
      Content metadata = row.metadata();
      insert.setObject(10, metadata == null ? null : metadata.serializerId());
      insert.setString(11, metadata == null ? null : metadata.manifest());
      insert.setBytes(12, metadata == null ? null : metadata.bytes());
    }

    @Override
    String oneOf(int count) {
      return "persistence_id IN (" + "?, ".repeat(count - 1) + "?)";
    }

    @Override
    int bindIds(PreparedStatement statement, int first, Collection<String> ids)
        throws SQLException {
      int next = first;
      for (String id : ids) {
        statement.setString(next++, id);
      }
      return next;
    }
  }
}
