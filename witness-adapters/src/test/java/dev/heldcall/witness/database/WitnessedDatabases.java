package dev.heldcall.witness.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Databases with a table of orders, each test's own; one PostgreSQL a JVM, started when asked for.
 */
final class WitnessedDatabases {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private WitnessedDatabases() {}

  /** What the witness is tested on. */
  enum Engine {
    H2,
    POSTGRESQL;

    Database fresh() throws SQLException {
      String name = "orders_" + COUNT.incrementAndGet();
      Database database =
          switch (this) {
            case H2 ->
                new Database("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "secret-pw");
            case POSTGRESQL -> Server.create(name);
          };
      database.run(
          """
          CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY, number BIGINT, status VARCHAR(20),
            amount_minor BIGINT, price DECIMAL(20, 2), paid BOOLEAN, note VARCHAR(200))""",
          "INSERT INTO orders VALUES ('o-1', 1, 'shipped', 125000, 1250.00, TRUE, NULL)",
          "INSERT INTO orders VALUES ('o-2', 2, 'open', 1, 0.10, FALSE, 'handle with care')");
      return database;
    }
  }

  /** A database and its owner. */
  record Database(String url, String user, String password) {

    void run(String... statements) throws SQLException {
      try (Connection connection = DriverManager.getConnection(url, user, password);
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      }
    }

    long count(String sql) throws SQLException {
      try (Connection connection = DriverManager.getConnection(url, user, password);
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static final class Server {

    static final EmbeddedPostgres RUNNING = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
      } catch (IOException e) {
        throw new IllegalStateException("the PostgreSQL of the tests did not start: " + e, e);
      }
    }

    static Database create(String name) throws SQLException {
      try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      }
      return new Database(
          "jdbc:postgresql://127.0.0.1:" + RUNNING.getPort() + "/" + name, "postgres", "postgres");
    }
  }
}
