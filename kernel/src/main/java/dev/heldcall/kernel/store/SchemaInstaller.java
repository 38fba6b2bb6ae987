package dev.heldcall.kernel.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Creates the schema at the first start, brings it forward later, and refuses one that it does not
 * know. Each version is a script {@code schema/<dialect>/V<n>.sql} on the class path; the table
 * {@code heldcall_schema} keeps which were applied, with their checksums.
 *
 * <p>PostgreSQL: all of it in one transaction under an advisory lock, so nodes that start together
 * wait for the first. H2: one process has the file, statements commit one by one, and every
 * statement of a script can be run again.
 */
final class SchemaInstaller {

  /** The newest version that this release knows. */
  static final int LATEST = 4;

  /** Any number that nothing else in the database uses: "HELDCALL" in ASCII. */
  private static final long ADVISORY_LOCK = 0x48454C4443414C4CL;

  private static final String VERSIONS =
      "CREATE TABLE IF NOT EXISTS heldcall_schema (version INTEGER PRIMARY KEY,"
          + " checksum VARCHAR(64) NOT NULL, applied_at TIMESTAMP WITH TIME ZONE NOT NULL)";

  private static final Pattern STATEMENT_END = Pattern.compile(";");

  private final Dialect dialect;
  private final String place;

  /**
   * @param place where the database is, for messages
   */
  SchemaInstaller(Dialect dialect, String place) {
    this.dialect = dialect;
    this.place = place;
  }

  /**
   * Leaves the schema at {@link #LATEST}.
   *
   * @throws StoreException if the database is newer than this release, or was made by other scripts
   */
  void install(Connection connection) throws SQLException {
    install(connection, LATEST);
  }

  /**
   * Leaves the schema at {@code version} or where it already is beyond; tests start from old ones.
   */
  void install(Connection connection, int version) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      if (dialect == Dialect.POSTGRESQL) {
        statement.execute("SELECT pg_advisory_xact_lock(" + ADVISORY_LOCK + ")");
      }
      statement.execute(VERSIONS);
      Map<Integer, String> applied = applied(statement);
      refuseUnknown(applied);
      for (int each = 1; each <= version; each++) {
        step(connection, each, applied);
      }
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static Map<Integer, String> applied(Statement statement) throws SQLException {
    Map<Integer, String> applied = new TreeMap<>();
    try (ResultSet rows = statement.executeQuery("SELECT version, checksum FROM heldcall_schema")) {
      while (rows.next()) {
        applied.put(rows.getInt(1), rows.getString(2));
      }
    }
    return applied;
  }

  private void refuseUnknown(Map<Integer, String> applied) {
    for (int version : applied.keySet()) {
      if (version > LATEST) {
        throw new StoreException(
            "The database at "
                + place
                + " has schema version "
                + version
                + ", and this release knows"
                + " only up to "
                + LATEST
                + ": start the newer release, or restore a backup made before"
                + " the upgrade.");
      }
    }
  }

  private void step(Connection connection, int version, Map<Integer, String> applied)
      throws SQLException {
    String script = script(version);
    String checksum = checksum(script);
    String found = applied.get(version);
    if (found == null) {
      run(connection, script);
      record(connection, version, checksum);
    } else if (!found.equals(checksum)) {
      throw new StoreException(
          "The database at "
              + place
              + " was made by another script of schema version "
              + version
              + " (checksum "
              + found.substring(0, Math.min(12, found.length()))
              + ", this release has "
              + checksum.substring(0, 12)
              + "): start the release that made it, or use another database.");
    }
  }

  private static void run(Connection connection, String script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : STATEMENT_END.splitAsStream(withoutComments(script)).toList()) {
        if (!sql.isBlank()) {
          statement.execute(sql.strip());
        }
      }
    }
  }

  private static String withoutComments(String script) {
    StringBuilder bare = new StringBuilder();
    script.lines().filter(line -> !line.startsWith("--")).forEach(l -> bare.append(l).append('\n'));
    return bare.toString();
  }

  private static void record(Connection connection, int version, String checksum)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO heldcall_schema (version, checksum, applied_at)"
                + " VALUES (?, ?, CURRENT_TIMESTAMP)")) {
      insert.setInt(1, version);
      insert.setString(2, checksum);
      insert.executeUpdate();
    }
  }

  private String script(int version) {
    String name = "/schema/" + dialect.folder() + "/V" + version + ".sql";
    try (InputStream in = SchemaInstaller.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String checksum(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
