package dev.heldcall.kernel.readside;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.projection.jdbc.JdbcSession;

/** A projection's session on a pooled connection. */
public final class PooledSession implements JdbcSession {

  private final Connection connection;

  /**
   * Takes a connection from the pool.
   *
   * @throws SQLException if none is to be had
   */
  public PooledSession(DataSource pool) throws SQLException {
    connection = pool.getConnection();
    connection.setAutoCommit(false);
  }

  @Override
  public <T> T withConnection(Function<Connection, T> work) throws Exception {
    return work.apply(connection);
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    connection.setAutoCommit(true);
    connection.close();
  }
}
