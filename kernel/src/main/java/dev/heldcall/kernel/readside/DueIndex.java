package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which calls of one slice want a tick by when. */
public final class DueIndex {

  private final Store store;
  private final int slice;

  /** The due calls of {@code slice}. */
  public DueIndex(Store store, int slice) {
    this.store = store;
    this.slice = slice;
  }

  /**
   * The calls that are due, each put off so that it is not found again at once. Rows are locked
   * before they are put off, or else a call that ends meanwhile would be due for ever; one that
   * somebody else is writing is left for the next time, so that nobody waits in a circle.
   *
   * @param nowMillis the time that counts as now
   * @param againMillis when a call that is still due then is found again
   * @param limit the most to answer
   * @throws IllegalStateException if the database does not answer
   */
  public List<String> takeDue(long nowMillis, long againMillis, int limit) {
    try {
      return store.inTransaction(
          connection -> {
            List<String> due = new ArrayList<>();
            try (PreparedStatement select =
                connection.prepareStatement(
                    "SELECT held_id FROM call_index WHERE slice = ? AND due_at <= ?"
                        + " ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED")) {
              select.setInt(1, slice);
              select.setLong(2, nowMillis);
              select.setInt(3, limit);
              try (var rows = select.executeQuery()) {
                while (rows.next()) {
                  due.add(rows.getString(1));
                }
              }
            }
            putOff(connection, due, againMillis);
            return due;
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static void putOff(Connection connection, List<String> due, long againMillis)
      throws SQLException {
    if (due.isEmpty()) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE call_index SET due_at = ? WHERE held_id = ?")) {
      for (String heldId : due) {
        update.setLong(1, againMillis);
        update.setString(2, heldId);
        update.addBatch();
      }
      update.executeBatch();
    }
  }
}
