package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.store.TestDatabases.Database;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of a cluster are seen by whoever would found another one. */
@SuppressWarnings("try") // one is closed early, as a node that leaves does
class MemberLockTest {

  @Test
  void manyAreMembersAndTheLastOneToEndIsSeenUntilThen() throws SQLException {
    Database database = TestDatabases.postgres();
    try (Store store = database.open();
        MemberLock first = store.memberLock();
        MemberLock second = store.memberLock()) {
      assertThat(second.othersAlive()).isFalse();
      first.hold();
      assertThat(second.othersAlive()).isTrue();
      second.hold();
      first.close();
      assertThat(first.othersAlive()).isTrue();
      second.close();
      await().until(() -> !first.othersAlive());
    }
  }

  @Test
  void aLockWhoseConnectionWasLostIsTakenAgain() throws SQLException {
    Database database = TestDatabases.postgres();
    try (Store store = database.open();
        MemberLock member = store.memberLock()) {
      member.hold();
      cutConnections(store);
      await().until(() -> !store.memberLock().othersAlive());
      member.hold();
      assertThat(store.memberLock().othersAlive()).isTrue();
    }
  }

  @Test
  void anEmbeddedDatabaseHasNoOtherMembers(@TempDir Path folder) throws SQLException {
    try (Store store = TestDatabases.h2(folder).open();
        MemberLock member = store.memberLock()) {
      member.hold();
      assertThat(store.memberLock().othersAlive()).isFalse();
    }
  }

  private static void cutConnections(Store store) throws SQLException {
    try (Connection connection = store.connection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
              + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())");
    }
  }
}
