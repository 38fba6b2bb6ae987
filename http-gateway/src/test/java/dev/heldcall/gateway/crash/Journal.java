package dev.heldcall.gateway.crash;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The node's journal, as another process reaches it, where one can at all. */
final class Journal {

  private final @Nullable String url;
  private final @Nullable String user;
  private final @Nullable String password;

  /**
   * For the database of a node.
   *
   * @param environment the node's
   */
  Journal(Map<String, String> environment) {
    url = environment.get("HELDCALL_DB_URL");
    user = environment.get("HELDCALL_DB_USER");
    password = environment.get("HELDCALL_DB_PASSWORD");
  }

  /** Whether it can; the embedded database is its process's own. */
  boolean possible() {
    return url != null;
  }

  /** What is done while the database does not answer. */
  @FunctionalInterface
  interface During {
    void run() throws Client.NodeGoneException;
  }

  /** Locks the journal while something is done, so that the node's database does not answer. */
  void during(During what) throws Client.NodeGoneException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE event_journal IN ACCESS EXCLUSIVE MODE");
      what.run();
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Loses what a call wrote last. */
  void loseLastEventOf(String heldId) {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM event_journal WHERE persistence_id = ? AND sequence_number ="
                    + " (SELECT MAX(sequence_number) FROM event_journal WHERE persistence_id = ?)")) {
      delete.setString(1, "held-call|" + heldId);
      delete.setString(2, "held-call|" + heldId);
      if (delete.executeUpdate() != 1) {
        throw new IllegalStateException("nothing was there to lose of " + heldId);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
