package dev.heldcall.kernel.journal;

import static dev.heldcall.kernel.journal.Rows.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for the journal is bounded, and never left waiting; without a database. */
@Timeout(60)
class QueueBoundsTest {

  private final GatedTable table = new GatedTable(null);
  private final WriteQueue queue = new WriteQueue(nowhere(), table, () -> true);

  /** A source of connections that take everything and do nothing. */
  private static DataSource nowhere() {
    ClassLoader loader = QueueBoundsTest.class.getClassLoader();
    Object connection =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {Connection.class}, (self, method, arguments) -> null);
    return (DataSource)
        Proxy.newProxyInstance(
            loader, new Class<?>[] {DataSource.class}, (self, method, arguments) -> connection);
  }

  @Test
  void nothingToWriteIsWrittenAtOnce() {
    assertThat(queue.write(List.of())).isCompleted();
    assertThat(table.writes).isEmpty();
    table.open();
    queue.close();
  }

  @Test
  void aFullQueueFailsAtOnceAndThatIncarnationWritesNoMore() throws Exception {
    CompletableFuture<Void> first = queue.write(rows("first", 1, 1, "w"));
    table.awaitSomebody();
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < WriteQueue.CAPACITY; i++) {
      waiting.add(queue.write(rows("a" + i, 1, 1, "w")));
    }
    CompletableFuture<Void> tooMany = queue.write(rows("late", 1, 1, "w"));
    assertThat(tooMany).isCompletedExceptionally();
    assertThatThrownBy(tooMany::join).hasCauseInstanceOf(RejectedExecutionException.class);

    table.open();
    first.get(30, TimeUnit.SECONDS);
    for (CompletableFuture<Void> each : waiting) {
      each.get(30, TimeUnit.SECONDS);
    }
    CompletableFuture<Void> behind = queue.write(rows("late", 2, 2, "w"));
    assertThatThrownBy(() -> behind.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("an earlier write of this incarnation");
    queue.write(rows("late", 1, 1, "next")).get(30, TimeUnit.SECONDS);
    queue.close();
  }

  @Test
  void theCloseWaitsForWhatIsUnderWayAndFailsWhatWaits() throws Exception {
    CompletableFuture<Void> underWay = queue.write(rows("a", 1, 1, "w"));
    table.awaitSomebody();
    CompletableFuture<Void> waiting = queue.write(rows("b", 1, 1, "w"));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(queue::close);
    // Nothing is taken any more from when the close has begun.
    List<CompletableFuture<Void>> late = new ArrayList<>();
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              late.add(queue.write(rows("c" + late.size(), 1, 1, "w")));
              return late.getLast().isDone();
            });
    assertThat(closed).isNotDone();

    table.open();
    underWay.get(30, TimeUnit.SECONDS);
    closed.get(30, TimeUnit.SECONDS);
    late.add(waiting);
    for (CompletableFuture<Void> each : late) {
      assertThat(each).isCompletedExceptionally();
      assertThatThrownBy(each::join).hasMessageContaining("the journal is closed");
    }
    assertThat(table.writes).containsExactly(1);
    assertThat(queue.write(rows("d", 1, 1, "w"))).isCompletedExceptionally();
    queue.close();
  }
}
