package dev.heldcall.kernel.store;

import static dev.heldcall.kernel.store.StoreOpenTest.execute;
import static dev.heldcall.kernel.store.StoreOpenTest.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema is created once, written down, and refused when it is not the one we know. */
@Timeout(60)
class SchemaInstallerTest {

  private static final String VERSIONS = "SELECT COUNT(*) FROM heldcall_schema";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void createsTheSchemaAndWritesItsVersionDown(Engine engine) throws Exception {
    Database database = engine.fresh(folder);
    database.open().close();
    try (Store store = database.open()) {
      assertThat(number(store, VERSIONS)).isEqualTo(SchemaInstaller.LATEST);
      for (String table :
          List.of(
              "event_journal",
              "call_index",
              "call_edge",
              "mailbox",
              "mailbox_head",
              "idempotency_key",
              "issuer_key")) {
        assertThat(number(store, "SELECT COUNT(*) FROM " + table)).as(table).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesASchemaNewerThanItKnows(Engine engine) throws Exception {
    Database database = engine.fresh(folder);
    try (Store store = database.open()) {
      execute(store, "INSERT INTO heldcall_schema VALUES (99, 'x', CURRENT_TIMESTAMP)");
    }
    assertThatThrownBy(database::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has schema version 99")
        .hasMessageContaining("only up to " + SchemaInstaller.LATEST)
        .hasMessageContaining("start the newer release")
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @EnumSource
  void refusesASchemaMadeByAnotherScript(Engine engine) throws Exception {
    Database database = engine.fresh(folder);
    try (Store store = database.open()) {
      execute(store, "UPDATE heldcall_schema SET checksum = '0123456789abcdef'");
    }
    assertThatThrownBy(database::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("another script of schema version 1")
        .hasMessageContaining("0123456789ab")
        .message()
        .hasLineCount(1);
  }

  @Test
  void anEmbeddedInstallationThatBrokeOffIsFinished() throws Exception {
    Database database = TestDatabases.h2(folder);
    try (Store store = database.open()) {
      execute(store, "DELETE FROM heldcall_schema");
      execute(store, "DROP TABLE issuer_key");
    }
    try (Store store = database.open()) {
      assertThat(number(store, VERSIONS)).isEqualTo(SchemaInstaller.LATEST);
      assertThat(number(store, "SELECT COUNT(*) FROM issuer_key")).isZero();
    }
  }

  @Test
  void nodesThatStartTogetherInstallOnce() throws Exception {
    Database database = TestDatabases.postgres();
    try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
      List<Callable<Boolean>> starts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        starts.add(
            () -> {
              Store.open(database.settings(), 1).close();
              return true;
            });
      }
      for (Future<Boolean> start : nodes.invokeAll(starts)) {
        assertThat(start.get()).isTrue();
      }
    }
    try (Store store = database.open()) {
      assertThat(number(store, VERSIONS)).isEqualTo(SchemaInstaller.LATEST);
    }
  }
}
