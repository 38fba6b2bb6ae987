package dev.heldcall.gateway.crash;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the node's database not answer for a while, where another process can reach it at all. */
final class Stall {

  private final @Nullable String url;
  private final @Nullable String user;
  private final @Nullable String password;

  /**
   * For the database of a node.
   *
   * @param environment the node's
   */
  Stall(Map<String, String> environment) {
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

  /** Locks the journal while something is done. */
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
}
