package dev.heldcall.kernel.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.h2.api.ErrorCode;

/**
 * The first connection to a database: made before any pool, because a pool retries and then tells
 * little, and under a bound of its own, because drivers wait in places that no timeout of theirs
 * covers. Turns what the driver says into one line for a person.
 */
final class FirstConnection {

  /** Leaves a second of the ten that a start may take to fail. */
  private static final long BOUND_SECONDS = 9;

  private FirstConnection() {}

  /**
   * Connects, installs or checks the schema, and disconnects.
   *
   * @throws StoreException if any of it fails or takes longer than the bound
   */
  static void check(JdbcTarget target) {
    FutureTask<Boolean> attempt = new FutureTask<>(() -> connectAndInstall(target));
    Thread.ofPlatform().daemon().name("heldcall-first-connection").start(attempt);
    try {
      attempt.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw explain(target, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      attempt.cancel(true);
      throw new StoreException(
          "The database at "
              + target.place()
              + " did not answer within "
              + BOUND_SECONDS
              + " s: check that it is up, reachable from here, and not blocked by a lock.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(
          "Interrupted while opening the database at " + target.place() + ".", e);
    }
  }

  private static boolean connectAndInstall(JdbcTarget target) throws SQLException {
    try (Connection connection = DriverManager.getConnection(target.url(), target.properties())) {
      try {
        new SchemaInstaller(target.dialect(), target.place()).install(connection);
      } catch (SQLException | RuntimeException e) {
        closeEmbedded(target, connection);
        throw e;
      }
      return true;
    }
  }

  /** An embedded database stays open after its last connection; a refused one must not. */
  private static void closeEmbedded(JdbcTarget target, Connection connection) throws SQLException {
    if (target.dialect() == Dialect.H2) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SHUTDOWN");
      }
    }
  }

  /** What went wrong, in one line that says what to do. */
  static StoreException explain(JdbcTarget target, Throwable cause) {
    if (cause instanceof StoreException already) {
      return already;
    }
    if (!(cause instanceof SQLException sql)) {
      return new StoreException(
          "Opening the database at " + target.place() + " failed: " + cause, cause);
    }
    String advice =
        switch (target.dialect()) {
          case H2 -> embeddedAdvice(sql);
          case POSTGRESQL -> serverAdvice(sql);
        };
    return new StoreException("The database at " + target.place() + " " + advice, sql);
  }

  private static String embeddedAdvice(SQLException e) {
    return switch (e.getErrorCode()) {
      case ErrorCode.DATABASE_ALREADY_OPEN_1 ->
          "is in use by another process: stop that one, or give this node another data folder"
              + " (heldcall.data, HELDCALL_DATA, --data).";
      case ErrorCode.WRONG_USER_OR_PASSWORD ->
          "was not made by Heldcall, its user is another: give this node another data folder.";
      case ErrorCode.FILE_CORRUPTED_1, ErrorCode.FILE_VERSION_ERROR_1 ->
          "cannot be read ("
              + firstLine(e)
              + "): restore it from a backup, its .redo file with it.";
      case ErrorCode.IO_EXCEPTION_1, ErrorCode.IO_EXCEPTION_2, ErrorCode.FILE_CREATION_FAILED_1 ->
          "cannot be read or written ("
              + firstLine(e)
              + "): check the folder's owner, its permissions and"
              + " the free space.";
      default -> "cannot be opened: " + firstLine(e);
    };
  }

  private static String serverAdvice(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "28P01", "28000" ->
          "refuses this user or password ("
              + firstLine(e)
              + "): check heldcall.db.user and"
              + " heldcall.db.password (HELDCALL_DB_USER, HELDCALL_DB_PASSWORD).";
      case "3D000" -> "does not exist: create it, or correct heldcall.db.url (HELDCALL_DB_URL).";
      case "53300", "57P03" ->
          "takes no connections now (" + firstLine(e) + "): try again, or raise max_connections.";
      case "42501" ->
          "does not let this user create tables ("
              + firstLine(e)
              + "): grant CREATE on its schema.";
      default ->
          state.startsWith("08")
              ? "is unreachable ("
                  + firstLine(e)
                  + "): check heldcall.db.url (HELDCALL_DB_URL), and that the"
                  + " server is up and lets this host in."
              : "cannot be opened (" + state + "): " + firstLine(e);
    };
  }

  private static String firstLine(SQLException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse("").strip();
  }
}
