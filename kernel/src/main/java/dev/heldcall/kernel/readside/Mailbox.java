package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The deliveries of a session in one order, without gaps.
 *
 * <p>A seq is taken under the lock of the session's head row, which is held until the commit that
 * makes the delivery visible. So the next seq is taken only after this one can be seen, and a
 * reader that has seen n has seen all up to n (the design, rule 18).
 */
public final class Mailbox {

  private final Store store;

  /** Reads through the store's own pool. */
  public Mailbox(Store store) {
    this.store = store;
  }

  /**
   * One delivery.
   *
   * @param seq its place in the session, from 1
   * @param deliveryId its id, the same however often it is offered
   * @param heldId the call that it is the end of
   * @param acknowledged whether the session has acknowledged it
   * @param item what is delivered, as JSON; nothing here looks inside
   */
  public record Item(
      long seq, String deliveryId, String heldId, boolean acknowledged, String item) {}

  /**
   * Appends a delivery; one that is there already keeps its place and content.
   *
   * @param connection a transaction, to be committed soon: others of the session wait for it
   * @return the delivery's seq
   * @throws IllegalStateException if the connection is in auto-commit mode
   */
  public long append(
      Connection connection, String sessionKey, String deliveryId, String heldId, String item)
      throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException("a seq can only be taken in a transaction");
    }
    long last = lockHead(connection, sessionKey);
    Optional<Long> known = seqOf(connection, deliveryId);
    if (known.isPresent()) {
      return known.get();
    }
    long seq = last + 1;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO mailbox (session_key, seq, delivery_id, held_id, acknowledged, item)"
                + " VALUES (?, ?, ?, ?, FALSE, ?)")) {
      insert.setString(1, sessionKey);
      insert.setLong(2, seq);
      insert.setString(3, deliveryId);
      insert.setString(4, heldId);
      insert.setString(5, item);
      insert.executeUpdate();
    }
    try (PreparedStatement head =
        connection.prepareStatement("UPDATE mailbox_head SET last_seq = ? WHERE session_key = ?")) {
      head.setLong(1, seq);
      head.setString(2, sessionKey);
      head.executeUpdate();
    }
    return seq;
  }

  private long lockHead(Connection connection, String sessionKey) throws SQLException {
    Optional<Long> last = lockExistingHead(connection, sessionKey);
    if (last.isPresent()) {
      return last.get();
    }
    InsertOnce.run(
        connection,
        store.dialect(),
        "INSERT INTO mailbox_head (session_key, last_seq) VALUES (?, 0)",
        sessionKey);
    return lockExistingHead(connection, sessionKey)
        .orElseThrow(() -> new SQLException("the head of a mailbox vanished: " + sessionKey));
  }

  private static Optional<Long> lockExistingHead(Connection connection, String sessionKey)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT last_seq FROM mailbox_head WHERE session_key = ? FOR UPDATE")) {
      select.setString(1, sessionKey);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
      }
    }
  }

  private static Optional<Long> seqOf(Connection connection, String deliveryId)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT seq FROM mailbox WHERE delivery_id = ?")) {
      select.setString(1, deliveryId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
      }
    }
  }

  /**
   * Notes that the session has acknowledged a delivery.
   *
   * @return whether that was news; false also for an unknown delivery
   */
  public boolean markAcknowledged(Connection connection, String deliveryId) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE mailbox SET acknowledged = TRUE WHERE delivery_id = ? AND NOT acknowledged")) {
      update.setString(1, deliveryId);
      return update.executeUpdate() > 0;
    }
  }

  /** A session's deliveries with a seq greater than {@code after}, in order. */
  public List<Item> list(String sessionKey, long after, int limit) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT seq, delivery_id, held_id, acknowledged, item FROM mailbox"
                    + " WHERE session_key = ? AND seq > ? ORDER BY seq LIMIT ?")) {
      select.setString(1, sessionKey);
      select.setLong(2, after);
      select.setInt(3, limit);
      List<Item> items = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          items.add(item(rows));
        }
      }
      return items;
    }
  }

  /** One delivery of a session. */
  public Optional<Item> find(String sessionKey, String deliveryId) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT seq, delivery_id, held_id, acknowledged, item FROM mailbox"
                    + " WHERE session_key = ? AND delivery_id = ?")) {
      select.setString(1, sessionKey);
      select.setString(2, deliveryId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(item(rows)) : Optional.empty();
      }
    }
  }

  private static Item item(ResultSet rows) throws SQLException {
    return new Item(
        rows.getLong(1),
        rows.getString(2),
        rows.getString(3),
        rows.getBoolean(4),
        rows.getString(5));
  }
}
