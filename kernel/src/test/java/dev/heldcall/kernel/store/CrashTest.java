package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed has lost nothing that it said was written, and starts again by itself. */
@Timeout(120)
class CrashTest {

  private static final Pattern WRITTEN = Pattern.compile(RowWriter.WRITTEN + "([0-9]+)");

  @TempDir Path folder;

  @Test
  void whatAKilledProcessHasAcknowledgedIsThere() throws Exception {
    Set<Integer> acknowledged = new TreeSet<>();
    try (ChildJvm writer = ChildJvm.start(RowWriter.class, folder.toString(), "1000000")) {
      writer.awaitLine("open");
      while (acknowledged.size() < 300) {
        acknowledge(writer.readLine(), acknowledged);
      }
      writer.kill();
      for (String line = writer.readLine(); line != null; line = writer.readLine()) {
        acknowledge(line, acknowledged);
      }
    }
    assertThat(stored()).containsAll(acknowledged);
  }

  @Test
  void sigtermClosesCleanly() throws Exception {
    try (ChildJvm writer = ChildJvm.start(RowWriter.class, folder.toString(), "20")) {
      writer.awaitLine(RowWriter.WRITTEN + 20);
      assertThat(writer.terminate()).isEqualTo(128 + 15);
    }
    // A clean end leaves an empty log: its first record is wiped.
    byte[] log = Files.readAllBytes(folder.resolve("heldcall.mv.db.redo"));
    assertThat(Arrays.copyOf(log, 8)).containsOnly(0);
    assertThat(stored()).hasSize(20);
  }

  /** Lines that are something else are the log's, and the last may be cut short. */
  private static void acknowledge(@Nullable String line, Set<Integer> acknowledged) {
    assertThat(line).as("the writer's next line").isNotNull();
    Matcher matcher = WRITTEN.matcher(String.valueOf(line));
    if (matcher.matches()) {
      acknowledged.add(Integer.parseInt(matcher.group(1)));
    }
  }

  private Set<Integer> stored() throws Exception {
    Set<Integer> stored = new TreeSet<>();
    try (Store store = TestDatabases.h2(folder).open();
        Connection connection = store.connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT sequence_number FROM event_journal")) {
      while (rows.next()) {
        stored.add(rows.getInt(1));
      }
    }
    return stored;
  }
}
