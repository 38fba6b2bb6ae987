package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plain reads of the journal: one prepared statement each, without the journal plugin. */
public final class JournalReader {

  private final Store store;

  /** Reads through the store's own pool. */
  public JournalReader(Store store) {
    this.store = store;
  }

  /**
   * An event as the journal has it.
   *
   * @param sequenceNumber its place in its entity's journal, from 1
   * @param serializerId which serializer reads it
   * @param manifest what that serializer is told
   * @param payload the event's bytes; the array is this record's own
   * @param writtenAtMillis when it was written, by the writer's clock
   */
  @SuppressWarnings("ArrayRecordComponent") // read and handed on once; equality is never asked
  public record RawEvent(
      long sequenceNumber,
      int serializerId,
      String manifest,
      byte[] payload,
      long writtenAtMillis) {}

  /** The greatest sequence number of an entity, 0 if it has no event. */
  public long maxSequence(String persistenceId) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT MAX(sequence_number) FROM event_journal WHERE persistence_id = ?")) {
      select.setString(1, persistenceId);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /**
   * The greatest sequence number of each of these entities, in one query; an entity without events
   * is not in the answer.
   */
  public Map<String, Long> maxSequences(Collection<String> persistenceIds) throws SQLException {
    if (persistenceIds.isEmpty()) {
      return Map.of();
    }
    String marks = String.join(", ", Collections.nCopies(persistenceIds.size(), "?"));
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT persistence_id, MAX(sequence_number) FROM event_journal"
                    + " WHERE persistence_id IN ("
                    + marks
                    + ") GROUP BY persistence_id")) {
      int mark = 1;
      for (String persistenceId : persistenceIds) {
        select.setString(mark++, persistenceId);
      }
      Map<String, Long> greatest = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          greatest.put(rows.getString(1), rows.getLong(2));
        }
      }
      return greatest;
    }
  }

  /**
   * An entity's events in order.
   *
   * @param fromSequence the first sequence number wanted
   * @param limit the most events to answer
   */
  public List<RawEvent> events(String persistenceId, long fromSequence, int limit)
      throws SQLException {
    return events(
        "SELECT sequence_number, event_ser_id, event_ser_manifest, event_payload, write_timestamp"
            + " FROM event_journal"
            + " WHERE persistence_id = ? AND sequence_number >= ? AND deleted = FALSE"
            + " ORDER BY sequence_number LIMIT ?",
        persistenceId,
        fromSequence,
        limit);
  }

  /**
   * An entity's events in order, with a bound on their size: a call that was edited often may have
   * more than there is room for. The first is answered whatever its size.
   *
   * @param fromSequence the first sequence number wanted
   * @param limit the most events to answer
   * @param maxBytes no event is answered that begins after so many
   */
  public List<RawEvent> page(String persistenceId, long fromSequence, int limit, long maxBytes)
      throws SQLException {
    return events(
        "SELECT sequence_number, event_ser_id, event_ser_manifest, event_payload, write_timestamp"
            + " FROM (SELECT sequence_number, event_ser_id, event_ser_manifest, event_payload,"
            + " write_timestamp, SUM(OCTET_LENGTH(event_payload))"
            + " OVER (ORDER BY sequence_number) - OCTET_LENGTH(event_payload) AS begins_at"
            + " FROM event_journal"
            + " WHERE persistence_id = ? AND sequence_number >= ? AND deleted = FALSE"
            + " ORDER BY sequence_number LIMIT ?) page WHERE begins_at <= "
            + maxBytes
            + " ORDER BY sequence_number",
        persistenceId,
        fromSequence,
        limit);
  }

  /**
   * An entity's events of one name, in order; of more than the bound the newest.
   *
   * @param name the events' stable name
   * @param limit the most events to answer
   */
  public List<RawEvent> named(String persistenceId, String name, int limit) throws SQLException {
    List<RawEvent> newest =
        events(
            "SELECT sequence_number, event_ser_id, event_ser_manifest, event_payload,"
                + " write_timestamp FROM event_journal"
                + " WHERE persistence_id = ? AND sequence_number >= ? AND deleted = FALSE"
                + " AND event_ser_manifest LIKE '"
                + name
                + ":%' ORDER BY sequence_number DESC LIMIT ?",
            persistenceId,
            1,
            limit);
    return newest.reversed();
  }

  private List<RawEvent> events(String sql, String persistenceId, long fromSequence, int limit)
      throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, persistenceId);
      select.setLong(2, fromSequence);
      select.setInt(3, limit);
      List<RawEvent> events = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          events.add(
              new RawEvent(
                  rows.getLong(1),
                  rows.getInt(2),
                  rows.getString(3),
                  rows.getBytes(4),
                  rows.getLong(5)));
        }
      }
      return events;
    }
  }
}
