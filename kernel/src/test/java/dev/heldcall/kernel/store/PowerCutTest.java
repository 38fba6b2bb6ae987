package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.heldcall.kernel.store.LossyDisk.Loss;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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

  private static final String FORCED = LossyDatabase.FORCED;
  private static final String UNFORCED = LossyDatabase.UNFORCED;

  private static final int SEEDS = Integer.getInteger("heldcall.test.power-cuts", 15);

  @TempDir Path folder;

  @BeforeAll
  static void register() {
    LossyDatabase.register();
  }

  @Test
  void oneForceForEachCommit() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    try (Connection connection = database(FORCED, "count", "").connect()) {
      LossyDatabase.createTable(connection);
      long before = LossyDisk.forces();
      for (int i = 0; i < 100; i++) {
        LossyDatabase.write(connection, i, 300);
      }
      assertThat(LossyDisk.forces() - before).isEqualTo(100);
      LossyDatabase.shutDown(connection, "SHUTDOWN");
    }
  }

  @Test
  void aTransactionOfManyRowsIsOneForce() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    try (Connection connection = database(FORCED, "batch", "").connect()) {
      LossyDatabase.createTable(connection);
      long before = LossyDisk.forces();
      connection.setAutoCommit(false);
      for (int i = 0; i < 100; i++) {
        LossyDatabase.write(connection, i, 300);
      }
      connection.commit();
      assertThat(LossyDisk.forces() - before).isEqualTo(1);
      LossyDatabase.shutDown(connection, "SHUTDOWN");
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
    try (Connection connection = database(FORCED, "full", "").connect()) {
      LossyDatabase.createTable(connection);
      for (int i = 0; i < 300; i++) {
        LossyDatabase.write(connection, i, 40_000);
        acknowledged.put(i, 40_000);
      }
      Path log = folder.resolve("full.mv.db" + ForcedFilePath.LOG_SUFFIX);
      assertThat(Files.size(log)).isLessThanOrEqualTo(RedoLog.CAPACITY);
      LossyDatabase.shutDown(connection, "SHUTDOWN IMMEDIATELY");
    }
    LossyDisk.lose(Loss.SOME, new Random(1));
    assertThat(database(FORCED, "full", "").missing(acknowledged)).isEqualTo("");
  }

  @Test
  void anOldLogIsNotAppliedAfterACleanEnd() throws Exception {
    LossyDisk.reset(Long.MAX_VALUE);
    Path file = folder.resolve("clean.mv.db");
    try (Connection connection = database(FORCED, "clean", "").connect()) {
      LossyDatabase.createTable(connection);
      LossyDatabase.write(connection, 1, 300);
      LossyDatabase.shutDown(connection, "SHUTDOWN");
    }
    byte[] backup = Files.readAllBytes(file);
    try (Connection connection = database(FORCED, "clean", "").connect()) {
      LossyDatabase.write(connection, 2, 300);
      LossyDatabase.shutDown(connection, "SHUTDOWN");
    }
    Files.write(file, backup);
    assertThat(database(FORCED, "clean", "").missing(new TreeMap<>(Map.of(1, 300)))).isEqualTo("");
  }

  /** What was lost or broken after a power cut at a random moment; empty if nothing was. */
  private String survives(String fileSystem, String name, int seed, String settings)
      throws Exception {
    Random chance = new Random(seed);
    LossyDisk.reset(Long.MAX_VALUE);
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    LossyDatabase database = database(fileSystem, name, settings);
    for (int life = 0; life < 2; life++) {
      Connection connection = database.connect();
      LossyDatabase.createTable(connection);
      LossyDisk.cutAfter(chance.nextInt(400));
      writeUntilTheCut(connection, chance, acknowledged);
      LossyDatabase.endWithoutPower(connection);
      LossyDisk.lose(Loss.SOME, chance);
      String missing = database.missing(acknowledged);
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
                LossyDatabase.write(connection, id, size);
                acknowledged.put(id, size);
              }
            })
        .isInstanceOf(SQLException.class);
  }

  private LossyDatabase database(String fileSystem, String name, String settings) {
    return new LossyDatabase(fileSystem, folder.resolve(name), settings);
  }
}
