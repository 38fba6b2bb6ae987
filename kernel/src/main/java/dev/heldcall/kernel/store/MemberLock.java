package dev.heldcall.kernel.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether any node of the cluster on this database is alive. Every member holds a shared
 * advisory lock, on a connection that ends with its process; a node that is about to found a
 * cluster looks whether anybody holds it. So a first seed that starts while it is cut off from the
 * others founds no second cluster beside theirs.
 *
 * <p>It guards nothing else: of two clusters that exist for whatever reason, the journal's sequence
 * numbers still let only one write. The embedded database has one process, and no lock.
 */
public final class MemberLock implements AutoCloseable {

  /** Any number that nothing else in the database uses: "HELDNODE" in ASCII. */
  private static final long KEY = 0x48454C444E4F4445L;

  private static final int CHECK_SECONDS = 2;

  private final JdbcTarget target;
  private @Nullable Connection held;

  MemberLock(JdbcTarget target) {
    this.target = target;
  }

  /** Whether some other process is a member. */
  public boolean othersAlive() throws SQLException {
    if (target.dialect() == Dialect.H2) {
      return false;
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_try_advisory_lock(" + KEY + ")")) {
      row.next();
      // The lock ends with the connection.
      return !row.getBoolean(1);
    }
  }

  /**
   * Is a member from now on; called again, it takes the lock again if its connection was lost.
   *
   * @throws SQLException if the database does not answer; call it again later
   */
  public synchronized void hold() throws SQLException {
    if (target.dialect() == Dialect.H2 || (held != null && held.isValid(CHECK_SECONDS))) {
      return;
    }
    release();
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      // A member whose machine is gone without a word must not be taken for alive for hours.
      statement.execute("SET tcp_keepalives_idle = 10");
      statement.execute("SET tcp_keepalives_interval = 5");
      statement.execute("SET tcp_keepalives_count = 3");
      statement.execute("SELECT pg_advisory_lock_shared(" + KEY + ")");
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    held = connection;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(target.url(), target.properties());
  }

  /** Is a member no longer; a connection that cannot even be closed ends with this process. */
  @Override
  public synchronized void close() {
    try {
      release();
    } catch (SQLException e) {
      held = null;
    }
  }

  private void release() throws SQLException {
    Connection connection = held;
    held = null;
    if (connection != null) {
      connection.close();
    }
  }
}
