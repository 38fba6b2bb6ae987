package dev.heldcall.kernel.store;

import com.typesafe.config.Config;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The open database of one node: a small connection pool of our own for the read side, the dialect,
 * and the configuration overlay by which the journal plugin opens a second pool on the same
 * database. The schema is in place and checked once {@link #open} has returned.
 *
 * <p>One process has an embedded database at a time, and opens it once: closing the store closes
 * the database under every connection, the journal's included, so stop the actor system first.
 */
public final class Store implements AutoCloseable {

  /** Threads that read for recoveries, several recoveries with each read. */
  private static final int JOURNAL_READERS = 2;

  private final Dialect dialect;
  private final JdbcTarget target;
  private final HikariDataSource pool;
  private final @Nullable EmbeddedCompaction compaction;

  private Store(JdbcTarget target, HikariDataSource pool) {
    this.dialect = target.dialect();
    this.target = target;
    this.pool = pool;
    this.compaction = dialect == Dialect.H2 ? new EmbeddedCompaction(pool) : null;
  }

  /**
   * Opens the database, and creates or checks its schema.
   *
   * @param settings where it is
   * @param poolSize connections of our own pool, at least 1
   * @throws StoreException within 10 s if the database is locked, unreachable, refuses the user, or
   *     has a schema that this release does not know
   */
  public static Store open(StoreSettings settings, int poolSize) {
    return open(JdbcTarget.of(settings), poolSize);
  }

  /** Opens the database of a target, as {@link #open(StoreSettings, int)}. */
  static Store open(JdbcTarget target, int poolSize) {
    FirstConnection.check(target);
    try {
      return new Store(target, new HikariDataSource(poolConfig(target, poolSize)));
    } catch (HikariPool.PoolInitializationException e) {
      throw FirstConnection.explain(target, e.getCause() == null ? e : e.getCause());
    }
  }

  private static HikariConfig poolConfig(JdbcTarget target, int poolSize) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("heldcall-store");
    config.setJdbcUrl(target.url());
    config.setDriverClassName(target.driver());
    config.setDataSourceProperties(target.properties());
    config.setMaximumPoolSize(poolSize);
    config.setMinimumIdle(poolSize);
    config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(5));
    config.setValidationTimeout(TimeUnit.SECONDS.toMillis(2));
    config.setInitializationFailTimeout(TimeUnit.SECONDS.toMillis(5));
    return config;
  }

  /** Which database it is. */
  public Dialect dialect() {
    return dialect;
  }

  /** Our own pool; its connections start in auto-commit mode. */
  public DataSource dataSource() {
    return pool;
  }

  /**
   * A connection of our own pool, in auto-commit mode. Close it to give it back.
   *
   * @throws SQLException if none becomes free within 5 s
   */
  public Connection connection() throws SQLException {
    return pool.getConnection();
  }

  /**
   * Runs work in one transaction: committed when it returns, rolled back when it throws.
   *
   * @throws SQLException what the work or the commit throws
   */
  public <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      T result;
      try {
        result = work.run(connection);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        rollBack(connection, e);
        throw e;
      }
      connection.setAutoCommit(true);
      return result;
    }
  }

  private static void rollBack(Connection connection, Exception reason) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  /**
   * What a transaction does.
   *
   * @param <T> what it results in
   */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it, on a connection that is not in auto-commit mode. */
    T run(Connection connection) throws SQLException;
  }

  /**
   * The overlay that lets persistent actors use this database: the journal plugin, with a pool of
   * its own, and no snapshot store.
   */
  public Config pekkoConfig() {
    return JournalConfig.of(target, JOURNAL_READERS);
  }

  /** The lock by which members of a cluster know of each other; not held yet. */
  public MemberLock memberLock() {
    return new MemberLock(target);
  }

  /** Closes the pool and, when it is embedded, the database. Does nothing the second time. */
  @Override
  public void close() {
    if (pool.isClosed()) {
      return;
    }
    if (compaction != null) {
      compaction.close();
    }
    pool.close();
    if (dialect == Dialect.H2) {
      shutDownEmbedded();
    }
  }

  private void shutDownEmbedded() {
    try (Connection connection = DriverManager.getConnection(target.url(), target.properties());
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    } catch (SQLException e) {
      throw new StoreException(
          "The embedded database at "
              + target.place()
              + " did not close cleanly ("
              + e.getMessage()
              + "): it recovers by itself when it is opened again.",
          e);
    }
  }
}
