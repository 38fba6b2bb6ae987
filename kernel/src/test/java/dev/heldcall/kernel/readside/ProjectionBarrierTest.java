package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ProjectionBarrierTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void anEmptyJournalIsPassedAtOnce(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      ProjectionBarrier barrier = new ProjectionBarrier(store, "p", List.of("a", "b"));
      assertThat(barrier.mark()).isEqualTo(Map.of("a", 0L, "b", 0L));
      assertThat(barrier.passed(barrier.mark())).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void isPassedOnceEveryTagsOffsetIsThere(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      LiveCall call = JournalRows.call("c-1", HUMAN);
      String tag = Slices.tag(Slices.of(JournalRows.heldId(call)));
      JournalRows.write(store, call);
      ProjectionBarrier barrier = new ProjectionBarrier(store, "p", List.of(tag, "other"));
      Map<String, Long> mark = barrier.mark();
      assertThat(mark).isEqualTo(Map.of(tag, 2L, "other", 0L));
      assertThat(barrier.passed(mark)).isFalse();

      offset(store, "another", tag, 2);
      offset(store, "p", "other", 2);
      offset(store, "p", tag, 1);
      assertThat(barrier.passed(mark)).as("one event is missing").isFalse();

      move(store, tag, 2);
      assertThat(barrier.passed(mark)).isTrue();
      call.cancel();
      JournalRows.write(store, call);
      assertThat(barrier.passed(mark)).as("what came later does not count").isTrue();
      assertThat(barrier.passed(barrier.mark())).isFalse();
    }
  }

  private static void offset(Store store, String projection, String tag, long offset)
      throws SQLException {
    store.inTransaction(
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO pekko_projection_offset_store (projection_name, projection_key,"
                      + " current_offset, manifest, mergeable, last_updated)"
                      + " VALUES (?, ?, ?, 'SEQ', FALSE, 0)")) {
            insert.setString(1, projection);
            insert.setString(2, tag);
            insert.setString(3, Long.toString(offset));
            return insert.executeUpdate();
          }
        });
  }

  private static void move(Store store, String tag, long offset) throws SQLException {
    store.inTransaction(
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE pekko_projection_offset_store SET current_offset = ?"
                      + " WHERE projection_name = 'p' AND projection_key = ?")) {
            update.setString(1, Long.toString(offset));
            update.setString(2, tag);
            return update.executeUpdate();
          }
        });
  }
}
