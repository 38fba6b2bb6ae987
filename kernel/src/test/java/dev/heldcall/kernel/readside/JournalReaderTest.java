package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.readside.JournalReader.RawEvent;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages of a journal end at their number of events, and at their size. */
class JournalReaderTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aPageEndsBeforeItBecomesTooLarge(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      for (int i = 1; i <= 10; i++) {
        write(store, "a", i, 100);
      }
      write(store, "b", 1, 5_000);
      write(store, "b", 2, 5_000);
      JournalReader reader = new JournalReader(store);

      assertThat(numbers(reader.page("a", 1, 100, 10_000))).hasSize(10);
      assertThat(numbers(reader.page("a", 1, 4, 10_000))).containsExactly(1L, 2L, 3L, 4L);
      assertThat(numbers(reader.page("a", 3, 100, 250))).containsExactly(3L, 4L, 5L);
      assertThat(numbers(reader.page("b", 1, 100, 10))).containsExactly(1L);
      assertThat(numbers(reader.page("b", 2, 100, 10))).containsExactly(2L);
      assertThat(numbers(reader.page("b", 3, 100, 10))).isEmpty();
      assertThat(reader.page("b", 1, 1, 10).getFirst().payload()).hasSize(5_000);
      assertThat(numbers(reader.events("a", 9, 100))).containsExactly(9L, 10L);
    }
  }

  private static List<Long> numbers(List<RawEvent> events) {
    return events.stream().map(RawEvent::sequenceNumber).toList();
  }

  private static void write(Store store, String id, long sequence, int size) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO event_journal (persistence_id, sequence_number, writer,"
                    + " write_timestamp, adapter_manifest, event_ser_id, event_ser_manifest,"
                    + " event_payload) VALUES (?, ?, '', 0, '', 1, '', ?)")) {
      insert.setString(1, id);
      insert.setLong(2, sequence);
      insert.setBytes(3, new byte[size]);
      insert.executeUpdate();
    }
  }
}
