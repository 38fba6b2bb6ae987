package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class DueIndexTest {

  @TempDir Path folder;

  /** The {@code number}th id of the slice. */
  private static String id(int slice, int number) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "hc_" + i)
        .filter(each -> Slices.of(each) == slice)
        .skip(number)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void takesTheLongestDueOfItsSliceAndPutsThemOff(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      write(store, id(1, 0), 300L, 1);
      write(store, id(1, 1), 100L, 1);
      write(store, id(1, 2), 200L, 1);
      write(store, id(1, 3), 301L, 1);
      write(store, id(1, 4), null, 1);
      write(store, id(2, 0), 100L, 1);
      DueIndex due = new DueIndex(store, 1);

      assertThat(due.takeDue(300, 1_000, 2)).containsExactly(id(1, 1), id(1, 2));
      assertThat(due.takeDue(300, 1_000, 2)).containsExactly(id(1, 0));
      assertThat(due.takeDue(300, 1_000, 2)).isEmpty();
      assertThat(due.takeDue(1_000, 2_000, 10)).hasSize(4).startsWith(id(1, 3));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatHasEndedMeanwhileIsNeverDueAgain(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(2)) {
      DueIndex due = new DueIndex(store, 1);
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String heldId = id(1, i);
        ids.add(heldId);
        write(store, heldId, 100L, 1);
        CountDownLatch together = new CountDownLatch(2);
        Future<?> sweep =
            threads.submit(
                () -> {
                  together.countDown();
                  together.await();
                  return due.takeDue(100, 1_000, 10);
                });
        Future<?> end =
            threads.submit(
                () -> {
                  together.countDown();
                  together.await();
                  write(store, heldId, null, 2);
                  return heldId;
                });
        sweep.get();
        end.get();
      }
      assertThat(due.takeDue(1_000, 2_000, 100)).doesNotContainAnyElementsOf(ids);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRowThatSomebodyWritesIsLeftForTheNextTime(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      write(store, id(1, 0), 100L, 1);
      write(store, id(1, 1), 100L, 1);
      DueIndex due = new DueIndex(store, 1);
      store.inTransaction(
          connection -> {
            new CallIndex(store).upsert(connection, row(id(1, 0), 150L, 2));
            assertThat(due.takeDue(100, 1_000, 10)).containsExactly(id(1, 1));
            return true;
          });
      assertThat(due.takeDue(200, 1_000, 10)).containsExactly(id(1, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoSweepersOfASliceTakeACallOnce(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 40; i++) {
        write(store, id(1, i), 100L, 1);
      }
      List<Future<List<String>>> sweeps = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        sweeps.add(threads.submit(() -> new DueIndex(store, 1).takeDue(100, 1_000, 40)));
      }
      List<String> taken = new ArrayList<>();
      for (Future<List<String>> sweep : sweeps) {
        taken.addAll(sweep.get());
      }
      taken.addAll(new DueIndex(store, 1).takeDue(100, 1_000, 40));
      assertThat(taken).doesNotHaveDuplicates().hasSize(40);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatIsGoneIsSaid(Engine engine) {
    Store store = engine.fresh(folder).open();
    store.close();
    assertThatThrownBy(() -> new DueIndex(store, 1).takeDue(1, 2, 3))
        .isInstanceOf(IllegalStateException.class);
  }

  static void write(Store store, String heldId, @Nullable Long due, long seqNr)
      throws SQLException {
    store.inTransaction(
        connection -> {
          new CallIndex(store).upsert(connection, row(heldId, due, seqNr));
          return true;
        });
  }

  static CallRow row(String heldId, @Nullable Long due, long seqNr) {
    return new CallRow(
        heldId,
        new dev.heldcall.plugin.api.PrincipalRef("acme", "default", "agent-1"),
        "s-1",
        "t-1",
        "c-1",
        "acme/s-1",
        "pay",
        due == null ? CallState.ENDED : CallState.WAITING,
        "HELD",
        due,
        1_000,
        due,
        java.util.Set.of(),
        1,
        seqNr,
        "{}",
        due == null);
  }

  static List<String> ids(int slice, int count) {
    return IntStream.range(0, 100_000)
        .mapToObj(i -> "hc_" + i)
        .filter(each -> Slices.of(each) == slice)
        .limit(count)
        .collect(Collectors.toList());
  }
}
