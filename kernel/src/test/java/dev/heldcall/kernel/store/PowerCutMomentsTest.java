package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.store.LossyDisk.Ignored;
import dev.heldcall.kernel.store.LossyDisk.Loss;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power goes at each write, creation and force in turn, from the first opening of a database to
 * its clean end: whatever was acknowledged until then is there. The same without the forces, of the
 * files or of their folders, shows what they are for.
 */
class PowerCutMomentsTest {

  private static final int ROWS = 12;

  @TempDir Path folder;

  @BeforeAll
  static void register() {
    LossyDatabase.register();
  }

  /** What the client was told until the power went, and whether it did at all. */
  private record Told(Map<Integer, Integer> acknowledged, boolean whole) {}

  @ParameterizedTest
  @EnumSource
  void noMomentLosesWhatWasAcknowledged(Loss loss) throws Exception {
    int moment = 0;
    while (true) {
      LossyDatabase database = database(loss.name() + moment);
      Told told = run(database, moment, Ignored.NOTHING);
      LossyDisk.lose(loss, new Random(moment));
      String missing = database.inTheNextProcess().missing(told.acknowledged());
      assertThat(missing).as("moment %s", moment).isEqualTo("");
      if (told.whole()) {
        break;
      }
      moment++;
    }
    assertThat(moment).as("moments tried").isGreaterThan(2 * ROWS);
  }

  @ParameterizedTest
  @EnumSource(value = Ignored.class, names = "NOTHING", mode = EnumSource.Mode.EXCLUDE)
  void withoutForcesSomeMomentsWould(Ignored ignored) throws Exception {
    int lost = 0;
    boolean whole = false;
    for (int moment = 0; !whole; moment += 5) {
      LossyDatabase database = database(ignored.name() + moment);
      Told told = run(database, moment, ignored);
      whole = told.whole();
      LossyDisk.lose(Loss.ALL, new Random(moment));
      if (!database.inTheNextProcess().missing(told.acknowledged()).isEmpty()) {
        lost++;
      }
    }
    assertThat(lost).isPositive();
  }

  private LossyDatabase database(String name) {
    return new LossyDatabase(LossyDatabase.FORCED, folder.resolve(name), "");
  }

  /** Opens the new database, writes to it and ends it, until the power goes at the moment. */
  private static Told run(LossyDatabase database, int moment, Ignored ignored) {
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    LossyDisk.reset(moment);
    LossyDisk.ignore(ignored);
    Connection connection;
    try {
      connection = database.connect();
    } catch (SQLException e) {
      return new Told(acknowledged, false);
    }
    try {
      LossyDatabase.createTable(connection);
      for (int i = 0; i < ROWS; i++) {
        int id = i % 8;
        acknowledged.remove(id); // in doubt, until the commit has returned
        LossyDatabase.write(connection, id, 100 + 700 * i);
        acknowledged.put(id, 100 + 700 * i);
      }
      LossyDatabase.shutDown(connection, "SHUTDOWN");
      return new Told(acknowledged, true);
    } catch (SQLException | IOException e) {
      LossyDatabase.endWithoutPower(connection);
      return new Told(acknowledged, false);
    }
  }
}
