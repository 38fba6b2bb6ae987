package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * An embedded database on a {@link LossyDisk}, with a table of numbers and random bytes.
 *
 * @param fileSystem with or without our own layer, which forces
 * @param file where it is
 * @param settings more of H2's settings, each begun with a semicolon
 */
public record LossyDatabase(String fileSystem, Path file, String settings) {

  static final String FORCED = "force:lossy:";
  static final String UNFORCED = "lossy:";

  static void register() {
    ForcedFilePath.register();
    LossyFilePath.register();
  }

  /** The store of a node, in the folder, on the lossy disk. */
  public static Store store(Path folder) {
    register();
    Path file = folder.resolve("heldcall");
    return Store.open(
        new JdbcTarget(
            Dialect.H2,
            JdbcTarget.embeddedUrl(FORCED + file),
            "heldcall",
            "",
            file + " on a lossy disk"),
        6);
  }

  /** Ends the database of {@link #store} in this process as a power cut does. */
  public static void endStore(Path folder) {
    try {
      Connection connection =
          DriverManager.getConnection(
              JdbcTarget.embeddedUrl(FORCED + folder.resolve("heldcall")) + ";IFEXISTS=TRUE",
              "heldcall",
              "");
      endWithoutPower(connection);
    } catch (SQLException e) {
      // it has ended by itself
    }
  }

  /**
   * What the next process finds. H2 keeps a database that failed while it was opened, so within
   * this process the files are opened under another name.
   */
  LossyDatabase inTheNextProcess() throws IOException {
    Path copy = file.resolveSibling(file.getFileName() + "-next");
    for (String suffix : List.of(".mv.db", ".mv.db" + ForcedFilePath.LOG_SUFFIX)) {
      Path found = Path.of(file + suffix);
      if (Files.exists(found)) {
        Files.copy(found, Path.of(copy + suffix));
      }
    }
    return new LossyDatabase(fileSystem, copy, settings);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        JdbcTarget.embeddedUrl(fileSystem + file) + settings, "u", "");
  }

  /**
   * Which acknowledged rows are not there when it is opened again; empty if none.
   *
   * @param acknowledged sizes by number; what else is found is added
   */
  String missing(Map<Integer, Integer> acknowledged) throws IOException {
    Map<Integer, Integer> found = new TreeMap<>();
    try (Connection connection = connect()) {
      createTable(connection);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT id, data FROM t")) {
        while (rows.next()) {
          found.put(rows.getInt(1), rows.getBytes(2).length);
        }
      }
      shutDown(connection, "SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      return "does not open: " + e.getMessage();
    }
    StringBuilder missing = new StringBuilder();
    acknowledged.forEach(
        (id, size) -> {
          if (!size.equals(found.get(id))) {
            missing.append(id).append(": ").append(size).append(" not ").append(found.get(id));
          }
        });
    acknowledged.putAll(found);
    return missing.toString();
  }

  static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, data VARBINARY)");
      statement.execute("CREATE INDEX IF NOT EXISTS t_by_data ON t (data)");
    }
  }

  static void write(Connection connection, int id, int size) throws SQLException {
    byte[] data = new byte[size];
    new Random(id).nextBytes(data);
    try (PreparedStatement merge =
        connection.prepareStatement("MERGE INTO t KEY (id) VALUES (?, ?)")) {
      merge.setInt(1, id);
      merge.setBytes(2, data);
      merge.executeUpdate();
    }
  }

  /** H2 cannot close what it cannot write to, and says so in several places; all it must is end. */
  static void endWithoutPower(Connection connection) {
    assertThatCode(
            () -> {
              try (connection;
                  Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN IMMEDIATELY");
              }
            })
        .isInstanceOfAny(SQLException.class);
  }

  static void shutDown(Connection connection, String how) throws IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(how);
    } catch (SQLException e) {
      if (how.equals("SHUTDOWN")) {
        throw new IOException(e);
      }
    }
  }
}
