package dev.heldcall.kernel.journal;

import static dev.heldcall.kernel.journal.Rows.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.journal.ReadQueue.Beginning;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Recoveries share reads, and each sees its own journal. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class ReadQueueTest {

  private static final AtomicInteger ACTORS = new AtomicInteger();

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @Parameter Engine engine = Engine.H2;
  private final WatchedSource source = new WatchedSource(store.dataSource());
  private final GatedTable table = new GatedTable(Rows.table(store));

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    store.close();
  }

  /** A new actor with so many events. */
  private static String actor(int events) throws SQLException {
    String id = "r|" + ACTORS.incrementAndGet();
    if (events > 0) {
      try (Connection connection = store.connection()) {
        Rows.table(store).write(connection, rows(id, 1, events, "w"));
      }
    }
    return id;
  }

  private static Beginning got(CompletableFuture<Beginning> read) throws Exception {
    return read.get(30, TimeUnit.SECONDS);
  }

  private static List<Long> sequences(Beginning beginning) {
    return beginning.rows().stream().map(EventRow::sequenceNumber).toList();
  }

  @Test
  void recoveriesThatComeDuringAReadShareTheNext() throws Exception {
    try (ReadQueue queue = new ReadQueue(source.source(), table, 1)) {
      CompletableFuture<Beginning> first = queue.read(actor(1));
      table.awaitSomebody();
      List<CompletableFuture<Beginning>> reads = new ArrayList<>();
      for (int i = 0; i < ReadQueue.GROUP - 1; i++) {
        reads.add(queue.read(actor(i % 5)));
      }
      String twice = actor(3);
      reads.add(queue.read(twice));
      CompletableFuture<Beginning> again = queue.read(twice);
      table.open();
      assertThat(got(first).highest()).isEqualTo(1);
      for (int i = 0; i < ReadQueue.GROUP - 1; i++) {
        assertThat(got(reads.get(i)).highest()).isEqualTo(i % 5);
        assertThat(sequences(got(reads.get(i))))
            .containsExactlyElementsOf(LongStream.rangeClosed(1, i % 5).boxed().toList());
        assertThat(got(reads.get(i)).whole()).isTrue();
      }
      assertThat(got(reads.getLast()).highest()).isEqualTo(3);
      assertThat(got(again)).isNotSameAs(got(reads.getLast()));
      assertThat(sequences(got(again))).containsExactly(1L, 2L, 3L);
      assertThat(table.reads).containsExactly(1, ReadQueue.GROUP, 1);
      assertThat(source.borrowed).hasValue(3);
    }
  }

  @Test
  void anActorThatIsAskedForTwiceInOneReadIsAnsweredTwice() throws Exception {
    try (ReadQueue queue = new ReadQueue(source.source(), table, 1)) {
      CompletableFuture<Beginning> first = queue.read(actor(0));
      table.awaitSomebody();
      String twice = actor(2);
      CompletableFuture<Beginning> one = queue.read(twice);
      CompletableFuture<Beginning> two = queue.read(twice);
      table.open();
      assertThat(got(first)).isEqualTo(new Beginning(List.of(), 0));
      assertThat(sequences(got(one))).containsExactly(1L, 2L);
      assertThat(sequences(got(two))).containsExactly(1L, 2L);
      assertThat(table.reads).containsExactly(1, 1);
    }
  }

  @Test
  void aLongJournalsBeginningSaysHowLongItIs() throws Exception {
    table.open();
    try (ReadQueue queue = new ReadQueue(source.source(), table, 2)) {
      for (int length :
          List.of(ReadQueue.BEGINNING - 1, ReadQueue.BEGINNING, ReadQueue.BEGINNING + 1, 500)) {
        Beginning beginning = got(queue.read(actor(length)));
        assertThat(beginning.highest()).isEqualTo(length);
        assertThat(beginning.rows()).hasSize(Math.min(length, ReadQueue.BEGINNING));
        assertThat(beginning.whole()).isEqualTo(length <= ReadQueue.BEGINNING);
      }
    }
  }

  @Test
  void deletedEventsCountAndAreMarked() throws Exception {
    table.open();
    String id = actor(4);
    try (Connection connection = store.connection()) {
      Rows.table(store).delete(connection, id, 2);
    }
    try (ReadQueue queue = new ReadQueue(source.source(), table, 1)) {
      Beginning beginning = got(queue.read(id));
      assertThat(beginning.highest()).isEqualTo(4);
      assertThat(beginning.rows())
          .extracting(EventRow::deleted)
          .containsExactly(true, true, false, false);
      assertThat(beginning.rows().getFirst().event().bytes()).isEmpty();
    }
  }

  @Test
  void aDatabaseThatIsAwayFailsTheRecoveriesAndLaterOnesSucceed() throws Exception {
    table.open();
    String id = actor(2);
    try (ReadQueue queue = new ReadQueue(source.source(), table, 1)) {
      source.away(new SQLException("away", "08001"));
      CompletableFuture<Beginning> read = queue.read(id);
      assertThatThrownBy(() -> got(read)).hasRootCauseMessage("away");
      source.back();
      assertThat(got(queue.read(id)).highest()).isEqualTo(2);
    }
  }
}
