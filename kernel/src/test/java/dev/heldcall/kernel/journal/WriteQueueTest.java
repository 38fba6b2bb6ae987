package dev.heldcall.kernel.journal;

import static dev.heldcall.kernel.journal.Rows.row;
import static dev.heldcall.kernel.journal.Rows.rows;
import static dev.heldcall.kernel.journal.Rows.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What group commit adds to a journal: writes join, and still fail each by itself. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class WriteQueueTest {

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

  private WriteQueue queue() {
    return new WriteQueue(source.source(), table, () -> true);
  }

  private static String newId() {
    return "q|" + ACTORS.incrementAndGet();
  }

  private static void done(CompletableFuture<Void> write) throws Exception {
    write.get(30, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletableFuture<Void> write) {
    try {
      write.get(30, TimeUnit.SECONDS);
      throw new AssertionError("it succeeded");
    } catch (ExecutionException e) {
      return java.util.Objects.requireNonNull(e.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Holds one write at the gate, so that what is asked for next is one group. */
  private CompletableFuture<Void> underWay(WriteQueue queue) {
    CompletableFuture<Void> first = queue.write(rows(newId(), 1, 1, "w"));
    table.awaitSomebody();
    return first;
  }

  @Test
  void writesThatComeDuringACommitShareTheNext() throws Exception {
    try (WriteQueue queue = queue()) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      writes.add(underWay(queue));
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        ids.add(newId());
        writes.add(queue.write(rows(ids.getLast(), 1, 3, "w")));
      }
      table.open();
      for (CompletableFuture<Void> each : writes) {
        done(each);
      }
      assertThat(table.writes).containsExactly(1, 300);
      assertThat(source.transactions).hasValue(2);
      assertThat(source.borrowed).hasValue(2);
      for (String id : ids) {
        assertThat(written(store, id)).containsExactly("w1", "w2", "w3");
      }
    }
  }

  @Test
  void aGroupTakesNoFurtherWriteOnceItIsLarge() throws Exception {
    try (WriteQueue queue = queue()) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      writes.add(underWay(queue));
      for (int i = 0; i < 3; i++) {
        writes.add(queue.write(rows(newId(), 1, WriteQueue.GROUP_EVENTS - 1, "w")));
      }
      table.open();
      for (CompletableFuture<Void> each : writes) {
        done(each);
      }
      assertThat(table.writes)
          .containsExactly(1, 2 * (WriteQueue.GROUP_EVENTS - 1), WriteQueue.GROUP_EVENTS - 1);
    }
  }

  @Test
  void severalWritesOfAnActorInFlightKeepTheirOrder() throws Exception {
    String id = newId();
    try (WriteQueue queue = queue()) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      writes.add(underWay(queue));
      for (int i = 1; i <= 50; i++) {
        writes.add(queue.write(rows(id, i, i, "w")));
      }
      table.open();
      for (CompletableFuture<Void> each : writes) {
        done(each);
      }
    }
    try (Connection connection = store.connection();
        var select =
            connection.prepareStatement(
                "SELECT sequence_number FROM event_journal WHERE persistence_id = ?"
                    + " ORDER BY ordering")) {
      select.setString(1, id);
      try (var found = select.executeQuery()) {
        for (long i = 1; i <= 50; i++) {
          found.next();
          assertThat(found.getLong(1)).isEqualTo(i);
        }
      }
    }
  }

  @Test
  void aSequenceConflictFailsOnlyItsOwnWriteWhole() throws Exception {
    String taken = newId();
    String before = newId();
    String after = newId();
    table.open();
    try (WriteQueue queue = queue()) {
      done(queue.write(rows(taken, 1, 2, "old")));
    }
    GatedTable gated = new GatedTable(Rows.table(store));
    try (WriteQueue queue = new WriteQueue(source.source(), gated, () -> true)) {
      CompletableFuture<Void> first = queue.write(rows(newId(), 1, 1, "w"));
      gated.awaitSomebody();
      CompletableFuture<Void> sound = queue.write(rows(before, 1, 2, "w"));
      CompletableFuture<Void> conflict = queue.write(rows(taken, 2, 4, "new"));
      CompletableFuture<Void> alsoSound = queue.write(rows(after, 1, 1, "w"));
      gated.open();
      done(first);
      done(sound);
      done(alsoSound);
      assertThat(failure(conflict)).isInstanceOf(SQLException.class);
    }
    assertThat(written(store, taken)).containsExactly("old1", "old2");
    assertThat(written(store, before)).containsExactly("w1", "w2");
    assertThat(written(store, after)).containsExactly("w1");
  }

  @Test
  void afterAFailureTheOtherWritesOfThatIncarnationFailAndTheNextOnesDoNot() throws Exception {
    String id = newId();
    table.open();
    try (WriteQueue queue = queue()) {
      done(queue.write(rows(id, 1, 1, "first")));
      CompletableFuture<Void> conflict = queue.write(rows(id, 1, 1, "second"));
      CompletableFuture<Void> later = queue.write(rows(id, 2, 2, "second"));
      assertThat(failure(conflict)).isInstanceOf(SQLException.class);
      assertThat(failure(later)).hasMessageContaining("an earlier write of this incarnation");
      assertThat(failure(queue.write(rows(id, 3, 3, "second"))))
          .hasMessageContaining("an earlier write of this incarnation");

      done(queue.write(rows(id, 2, 2, "third")));
      done(queue.write(rows(newId(), 1, 1, "second")));
    }
    assertThat(written(store, id)).containsExactly("first1", "third2");
  }

  @Test
  void aWriteThatTheDatabaseRefusesFailsAlone() throws Exception {
    String sound = newId();
    try (WriteQueue queue = queue()) {
      CompletableFuture<Void> first = underWay(queue);
      CompletableFuture<Void> tooLong = queue.write(rows("x".repeat(300), 1, 1, "w"));
      CompletableFuture<Void> other = queue.write(rows(sound, 1, 1, "w"));
      table.open();
      done(first);
      done(other);
      assertThat(failure(tooLong)).isInstanceOf(SQLException.class);
    }
    assertThat(written(store, sound)).containsExactly("w1");
  }

  @Test
  void ofTwoIncarnationsThatRaceExactlyOneWinsEachNumber() throws Exception {
    String id = newId();
    table.open();
    try (WriteQueue one = queue();
        WriteQueue other = new WriteQueue(source.source(), table, () -> true)) {
      for (int round = 1; round <= 25; round++) {
        CyclicBarrier together = new CyclicBarrier(2);
        List<EventRow> mine = rows(id, 2L * round - 1, 2L * round, "one-" + round + "-");
        List<EventRow> theirs = rows(id, 2L * round - 1, 2L * round, "other-" + round + "-");
        CompletableFuture<Boolean> others =
            CompletableFuture.supplyAsync(() -> succeeds(other, theirs, together));
        boolean won = succeeds(one, mine, together);
        assertThat(others.get(30, TimeUnit.SECONDS)).isNotEqualTo(won);
        String winner = won ? "one-" : "other-";
        assertThat(written(store, id))
            .hasSize(2 * round)
            .endsWith(winner + round + "-" + (2 * round - 1), winner + round + "-" + (2 * round));
      }
    }
  }

  private static boolean succeeds(WriteQueue queue, List<EventRow> rows, CyclicBarrier together) {
    try {
      together.await(30, TimeUnit.SECONDS);
      queue.write(rows).get(30, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(SQLException.class);
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDatabaseThatIsAwayFailsAllAndTheNextIncarnationsWrite() throws Exception {
    String id = newId();
    String other = newId();
    table.open();
    try (WriteQueue queue = queue()) {
      source.away(new SQLException("away", "08001"));
      CompletableFuture<Void> one = queue.write(rows(id, 1, 1, "first"));
      CompletableFuture<Void> two = queue.write(rows(other, 1, 1, "first"));
      assertThat(failure(one)).hasMessage("away");
      assertThat(failure(two)).isInstanceOf(SQLException.class);
      source.back();
      done(queue.write(rows(id, 1, 1, "second")));
      done(queue.write(rows(other, 1, 1, "second")));
    }
    assertThat(written(store, id)).containsExactly("second1");
    assertThat(written(store, other)).containsExactly("second1");
  }

  /** Nobody knows whether it took place, so it is neither called durable nor done again. */
  @Test
  void aConnectionThatBreaksInTheCommitFailsTheGroupAndNothingIsTriedAgain() throws Exception {
    String id = newId();
    String other = newId();
    try (WriteQueue queue = queue()) {
      CompletableFuture<Void> first = underWay(queue);
      CompletableFuture<Void> one = queue.write(rows(id, 1, 2, "w"));
      CompletableFuture<Void> two = queue.write(rows(other, 1, 1, "w"));
      table.pass(1);
      done(first);
      table.awaitSomebody();
      source.breakAfterCommit(new SQLException("broke off", "08006"));
      table.open();
      assertThat(failure(one)).hasMessage("broke off");
      assertThat(failure(two)).hasMessage("broke off");
      assertThat(table.writes).containsExactly(1, 3);

      done(queue.write(rows(id, 3, 3, "next")));
    }
    assertThat(written(store, id)).containsExactly("w1", "w2", "next3");
    assertThat(written(store, other)).containsExactly("w1");
  }

  @Test
  void whatFailsInTheMidstLeavesNothing() throws Exception {
    String id = newId();
    List<EventRow> broken =
        new AbstractList<>() {
          @Override
          public EventRow get(int index) {
            if (index > 0) {
              throw new IllegalStateException("no row");
            }
            return row(id, 1, "w");
          }

          @Override
          public int size() {
            return 2;
          }
        };
    try (Connection connection = store.connection()) {
      assertThatThrownBy(() -> Rows.table(store).write(connection, broken)).hasMessage("no row");
      assertThat(connection.getAutoCommit()).isTrue();
    }
    assertThat(written(store, id)).isEmpty();
  }

  @Test
  void anErrorFailsItsGroupAndTheQueueGoesOn() throws Exception {
    String id = newId();
    table.open();
    try (WriteQueue queue = queue()) {
      table.nextThrows(new StackOverflowError("deep"));
      assertThat(failure(queue.write(rows(newId(), 1, 1, "w"))))
          .isInstanceOf(StackOverflowError.class);
      done(queue.write(rows(id, 1, 1, "w")));
    }
    assertThat(written(store, id)).containsExactly("w1");
  }

  @Test
  void nothingIsWrittenWithoutContactToTheCluster() throws Exception {
    String id = newId();
    table.open();
    AtomicBoolean contact = new AtomicBoolean();
    try (WriteQueue queue = new WriteQueue(source.source(), table, contact::get)) {
      assertThat(failure(queue.write(rows(id, 1, 1, "w")))).hasMessageContaining("no contact");
      contact.set(true);
      assertThat(failure(queue.write(rows(id, 2, 2, "w")))).hasMessageContaining("earlier write");
      done(queue.write(rows(id, 1, 1, "next")));
    }
    assertThat(written(store, id)).containsExactly("next1");
  }
}
