package dev.heldcall.witness.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.heldcall.witness.evidence.Undecidable;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Runs the one query of a provider so that nothing it does stays: on a read-only connection, in a
 * transaction that PostgreSQL itself holds read-only, and that is rolled back whatever came of it.
 * H2 has no read-only transactions: there the roll-back undoes what a query changed, and the user's
 * rights are to keep it from more.
 *
 * <p>The pool is small and this provider's own. It is opened when first used, so that a database
 * that is down does not keep the node from starting.
 */
final class ReadOnlyQuery implements AutoCloseable {

  private final DatabaseSettings settings;
  private final long maxCharacters;
  private final HikariDataSource pool;

  ReadOnlyQuery(DatabaseSettings settings, String poolName, long maxCharacters) {
    this.settings = settings;
    this.maxCharacters = maxCharacters;
    this.pool = new HikariDataSource();
    configure(pool, settings, poolName);
  }

  private static void configure(HikariConfig pool, DatabaseSettings settings, String poolName) {
    pool.setPoolName(poolName);
    pool.setJdbcUrl(settings.url());
    pool.setDriverClassName(settings.isPostgres() ? "org.postgresql.Driver" : "org.h2.Driver");
    if (settings.user() != null) {
      pool.setUsername(settings.user());
    }
    if (settings.password() != null) {
      pool.setPassword(settings.password());
    }
    pool.setMaximumPoolSize(settings.poolSize());
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(settings.poolWait().toMillis());
    pool.setValidationTimeout(Math.min(5_000, settings.poolWait().toMillis()));
    pool.setInitializationFailTimeout(-1);
    pool.setAutoCommit(false);
    pool.setReadOnly(true);
    if (settings.isPostgres()) {
      // Seconds, rounded up: the server's own limit comes first, these are for a dead network.
      long wait = settings.poolWait().toSeconds() + 1;
      long silence = settings.statementTimeout().toSeconds() + 2;
      pool.addDataSourceProperty("connectTimeout", Long.toString(wait));
      pool.addDataSourceProperty("socketTimeout", Long.toString(silence));
      pool.addDataSourceProperty("ApplicationName", "heldcall-witness");
    }
  }

  /**
   * Runs it.
   *
   * @param values one for each parameter
   * @throws Undecidable if the result is over a bound
   * @throws SQLException if no connection is free in time, or the database refuses or fails
   */
  Rows run(List<Object> values) throws SQLException, Undecidable {
    try (Connection connection = pool.getConnection()) {
      try {
        begin(connection);
        return query(connection, values);
      } finally {
        connection.rollback();
      }
    }
  }

  /** Whether every connection is in use, so that a wait for one says nothing of the database. */
  boolean isExhausted() {
    var state = pool.getHikariPoolMXBean();
    return state != null && state.getActiveConnections() >= settings.poolSize();
  }

  private void begin(Connection connection) throws SQLException {
    if (!settings.isPostgres()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION READ ONLY");
    }
    try (PreparedStatement limit =
        connection.prepareStatement("SELECT set_config('statement_timeout', ?, true)")) {
      limit.setString(1, Long.toString(settings.statementTimeout().toMillis()));
      limit.execute();
    }
  }

  private Rows query(Connection connection, List<Object> values) throws SQLException, Undecidable {
    try (PreparedStatement statement = connection.prepareStatement(settings.sql())) {
      statement.setMaxRows(settings.maxRows() + 1);
      statement.setFetchSize(settings.maxRows() + 1);
      statement.setQueryTimeout(
          Math.toIntExact((settings.statementTimeout().toMillis() + 999) / 1000));
      for (int i = 0; i < values.size(); i++) {
        bind(statement, i + 1, values.get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        return new RowReader(settings.maxRows(), maxCharacters).read(result);
      }
    }
  }

  private static void bind(PreparedStatement statement, int index, Object value)
      throws SQLException {
    switch (value) {
      case String text -> statement.setString(index, text);
      case Long number -> statement.setLong(index, number);
      case BigDecimal number -> statement.setBigDecimal(index, number);
      case Boolean truth -> statement.setBoolean(index, truth);
      default -> throw new IllegalArgumentException("no value to bind: " + value.getClass());
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
