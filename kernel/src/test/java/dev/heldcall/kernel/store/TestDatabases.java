package dev.heldcall.kernel.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Databases for tests, each empty and nobody else's: embedded ones in a folder of the test, and
 * PostgreSQL ones on a server that the first test of a JVM starts. A PostgreSQL that does not start
 * fails the test.
 */
public final class TestDatabases {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private TestDatabases() {}

  /** For {@code @ParameterizedTest @EnumSource}: what is tested on both is tested with each. */
  public enum Engine {
    /** Embedded. */
    H2,
    /** The server. */
    POSTGRESQL;

    /** An empty database; the folder serves the embedded one. */
    public Database fresh(Path folder) {
      return switch (this) {
        case H2 -> h2(folder);
        case POSTGRESQL -> postgres();
      };
    }
  }

  /**
   * A database to open.
   *
   * @param url as for {@code heldcall.db.url}, or null for the embedded one
   * @param user as for {@code heldcall.db.user}, or null
   * @param password as for {@code heldcall.db.password}, or null
   * @param data as for {@code heldcall.data}
   */
  public record Database(
      @Nullable String url, @Nullable String user, @Nullable String password, Path data) {

    /** As settings of a store. */
    public StoreSettings settings() {
      return new StoreSettings(url, user, password, data);
    }

    /** Opens it with a pool of 6. */
    public Store open() {
      return Store.open(settings(), 6);
    }

    /** Makes it one of an older release, and does there what that release did. */
    public void old(int version, Store.Work<?> work) throws SQLException {
      JdbcTarget target = JdbcTarget.of(settings());
      try (Connection connection = DriverManager.getConnection(target.url(), target.properties())) {
        new SchemaInstaller(target.dialect(), target.place()).install(connection, version);
        work.run(connection);
      }
    }
  }

  /** An embedded database in a folder; the same folder again is the same database. */
  public static Database h2(Path folder) {
    return new Database(null, null, null, folder);
  }

  /** A new database on the PostgreSQL of this JVM. */
  public static Database postgres() {
    return postgresAs("postgres", "postgres");
  }

  /** A new database on the same server, for a user whose password the server asks for. */
  static Database postgresWithPassword(String password) {
    return postgresAs(Server.CHECKED_USER, password);
  }

  /** A port of this host where nothing listens. */
  static int unusedPort() {
    try (var socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Database postgresAs(String user, String password) {
    String name = "heldcall_test_" + COUNT.incrementAndGet();
    Server.execute(List.of("CREATE DATABASE " + name + " OWNER " + user));
    return new Database(
        "jdbc:postgresql://127.0.0.1:" + Server.RUNNING.getPort() + "/" + name,
        user,
        password,
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** The one server of this JVM, started when this class is first used. */
  private static final class Server {

    static final String CHECKED_USER = "heldcall_checked";
    static final String CHECKED_PASSWORD = "right";
    static final EmbeddedPostgres RUNNING = start();

    private static EmbeddedPostgres start() {
      try {
        EmbeddedPostgres server =
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "300")
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        ProcessHandle postmaster = postmaster(server);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, postmaster)));
        askForPassword(server);
        return server;
      } catch (IOException | SQLException e) {
        throw new IllegalStateException("the PostgreSQL of the tests did not start: " + e, e);
      }
    }

    private static ProcessHandle postmaster(EmbeddedPostgres server)
        throws SQLException, IOException {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SHOW data_directory")) {
        row.next();
        List<String> lines = Files.readAllLines(Path.of(row.getString(1), "postmaster.pid"));
        return ProcessHandle.of(Long.parseLong(lines.getFirst().strip())).orElseThrow();
      }
    }

    /** Nobody needs the data again, so the server is not left the time to force all of it. */
    private static void stop(EmbeddedPostgres server, ProcessHandle postmaster) {
      try {
        new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster.pid())).start();
        postmaster.onExit().get(10, TimeUnit.SECONDS);
        server.close();
      } catch (IOException | ExecutionException | TimeoutException e) {
        throw new IllegalStateException("the PostgreSQL of the tests did not stop", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static void askForPassword(EmbeddedPostgres server) throws SQLException, IOException {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE ROLE " + CHECKED_USER + " LOGIN PASSWORD '" + CHECKED_PASSWORD + "'");
        Path rules;
        try (ResultSet row = statement.executeQuery("SHOW hba_file")) {
          row.next();
          rules = Path.of(row.getString(1));
        }
        Path changed = rules.resolveSibling("pg_hba.new");
        Files.writeString(
            changed,
            "host all " + CHECKED_USER + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
        // Its owner is the server's, which may be another user than ours.
        Files.setAttribute(changed, "unix:uid", Files.getAttribute(rules, "unix:uid"));
        Files.move(changed, rules, StandardCopyOption.REPLACE_EXISTING);
        statement.execute("SELECT pg_reload_conf()");
      }
    }

    static void execute(List<String> statements) {
      try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
