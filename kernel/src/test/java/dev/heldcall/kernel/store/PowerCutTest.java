package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the embedded database has acknowledged is there after a power cut, whatever the disk lost of
 * what was not forced; and it would not be, were nothing forced.
 */
class PowerCutTest {

  private static final String FORCED = "force:lossy:";
  private static final String UNFORCED = "lossy:";

  private static final int SEEDS = Integer.getInteger("heldcall.test.power-cuts", 25);

  @TempDir Path folder;

  @BeforeAll
  static void register() {
    ForcedFilePath.register();
    LossyFilePath.register();
  }

  @Test
  void oneForceForEachCommit() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    try (Connection connection = connect(FORCED, "count", "")) {
      createTable(connection);
      long before = LossyDisk.forces();
      for (int i = 0; i < 100; i++) {
        write(connection, i, 300);
      }
      assertThat(LossyDisk.forces() - before).isEqualTo(100);
      shutDown(connection, "SHUTDOWN");
    }
  }

  @Test
  void aTransactionOfManyRowsIsOneForce() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    try (Connection connection = connect(FORCED, "batch", "")) {
      createTable(connection);
      long before = LossyDisk.forces();
      connection.setAutoCommit(false);
      for (int i = 0; i < 100; i++) {
        write(connection, i, 300);
      }
      connection.commit();
      assertThat(LossyDisk.forces() - before).isEqualTo(1);
      shutDown(connection, "SHUTDOWN");
    }
  }

  @Test
  void nothingAcknowledgedIsLost() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(survives(FORCED, "all" + seed, seed, "")).as("seed %s", seed).isEqualTo("");
    }
  }

  @Test
  void norWhenDeadSpaceIsUsedAgainAtOnce() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(survives(FORCED, "reuse" + seed, seed, ";RETENTION_TIME=0"))
          .as("seed %s", seed)
          .isEqualTo("");
    }
  }

  @Test
  void withoutTheForceItWouldBe() throws Exception {
    int lost = 0;
    for (int seed = 0; seed < 20; seed++) {
      if (!survives(UNFORCED, "none" + seed, seed, "").isEmpty()) {
        lost++;
      }
    }
    assertThat(lost).isPositive();
  }

  @Test
  void theLogBeginsAnewWhenItIsFull() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    try (Connection connection = connect(FORCED, "full", "")) {
      createTable(connection);
      for (int i = 0; i < 300; i++) {
        write(connection, i, 40_000);
        acknowledged.put(i, 40_000);
      }
      Path log = folder.resolve("full.mv.db" + ForcedFilePath.LOG_SUFFIX);
      assertThat(Files.size(log)).isLessThanOrEqualTo(RedoLog.CAPACITY);
      shutDown(connection, "SHUTDOWN IMMEDIATELY");
    }
    LossyDisk.lose(new Random(1));
    assertThat(missing(FORCED, "full", "", acknowledged)).isEqualTo("");
  }

  @Test
  void anOldLogIsNotAppliedAfterACleanEnd() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    Path file = folder.resolve("clean.mv.db");
    try (Connection connection = connect(FORCED, "clean", "")) {
      createTable(connection);
      write(connection, 1, 300);
      shutDown(connection, "SHUTDOWN");
    }
    byte[] backup = Files.readAllBytes(file);
    try (Connection connection = connect(FORCED, "clean", "")) {
      write(connection, 2, 300);
      shutDown(connection, "SHUTDOWN");
    }
    Files.write(file, backup);
    assertThat(missing(FORCED, "clean", "", new TreeMap<>(Map.of(1, 300)))).isEqualTo("");
  }

  /** What was lost or broken after a power cut at a random moment; empty if nothing was. */
  private String survives(String fileSystem, String name, int seed, String settings)
      throws Exception {
    Random chance = new Random(seed);
    LossyDisk.reset(Long.MAX_VALUE);
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    for (int life = 0; life < 2; life++) {
      Connection connection = connect(fileSystem, name, settings);
      createTable(connection);
      LossyDisk.cutAfter(chance.nextInt(400));
      writeUntilTheCut(connection, chance, acknowledged);
      endWithoutPower(connection);
      LossyDisk.lose(chance);
      String missing = missing(fileSystem, name, settings, acknowledged);
      if (!missing.isEmpty()) {
        return missing;
      }
    }
    return "";
  }

  private void writeUntilTheCut(
      Connection connection, Random chance, Map<Integer, Integer> acknowledged) {
    assertThatCode(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                int id = chance.nextInt(60);
                int size = chance.nextInt(8) == 0 ? chance.nextInt(40_000) : chance.nextInt(600);
                acknowledged.remove(id); // in doubt, until the commit has returned
                write(connection, id, size);
                acknowledged.put(id, size);
              }
            })
        .isInstanceOf(SQLException.class);
  }

  private String missing(
      String fileSystem, String name, String settings, Map<Integer, Integer> acknowledged)
      throws Exception {
    Map<Integer, Integer> found = new TreeMap<>();
    try (Connection connection = connect(fileSystem, name, settings)) {
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

  private Connection connect(String fileSystem, String name, String settings) throws SQLException {
    return DriverManager.getConnection(
        JdbcTarget.embeddedUrl(fileSystem + folder.resolve(name)) + settings, "u", "");
  }

  private static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, data VARBINARY)");
      statement.execute("CREATE INDEX IF NOT EXISTS t_by_data ON t (data)");
    }
  }

  private static void write(Connection connection, int id, int size) throws SQLException {
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
  private static void endWithoutPower(Connection connection) {
    assertThatCode(
            () -> {
              try (connection;
                  Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN IMMEDIATELY");
              }
            })
        .isInstanceOfAny(SQLException.class);
  }

  private static void shutDown(Connection connection, String how) throws IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(how);
    } catch (SQLException e) {
      if (how.equals("SHUTDOWN")) {
        throw new IOException(e);
      }
    }
  }
}
