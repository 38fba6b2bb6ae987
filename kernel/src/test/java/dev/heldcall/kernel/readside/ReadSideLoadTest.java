package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.readside.JournalRows.heldId;
import static dev.heldcall.kernel.readside.SeenCalls.seen;
import static dev.heldcall.kernel.readside.SeenCalls.sessionKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several writers at once: two nodes on PostgreSQL, threads on the embedded database. */
@Timeout(120)
class ReadSideLoadTest {

  private static final int ROUNDS = 15;

  @TempDir Path folder;

  /** What two nodes have open of one database. */
  private record Nodes(Store one, Store other) implements AutoCloseable {

    static Nodes of(Engine engine, Path folder) {
      Database database = engine.fresh(folder);
      Store one = database.open();
      return new Nodes(one, engine == Engine.H2 ? one : database.open());
    }

    @Override
    public void close() {
      other.close();
      one.close();
    }
  }

  /** Works until the test ends. */
  private interface Work {
    void run() throws Exception;
  }

  private static Future<Boolean> during(ExecutorService threads, AtomicBoolean writing, Work work) {
    return threads.submit(
        () -> {
          while (writing.get()) {
            work.run();
          }
          return true;
        });
  }

  /** The design, rule 18, while sweepers take what is due, without one transaction that fails. */
  @ParameterizedTest
  @EnumSource
  void rule18OnceASeqWasVisibleNothingLowerAppears(Engine engine) throws Exception {
    try (Nodes nodes = Nodes.of(engine, folder);
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<List<LiveCall>> calls = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        LiveCall first = SeenCalls.concluded();
        calls.add(
            List.of(
                first,
                SeenCalls.waiting(heldId(first)),
                SeenCalls.acknowledged(),
                SeenCalls.concluded()));
      }
      String session = sessionKey(calls.getFirst().getFirst());
      AtomicBoolean writing = new AtomicBoolean(true);
      Mailbox mailbox = new Mailbox(nodes.one());
      List<Future<Boolean>> others = new ArrayList<>();
      others.add(
          during(
              threads,
              writing,
              () -> {
                List<Mailbox.Item> items = mailbox.list(session, 0, 10_000);
                assertThat(items)
                    .extracting(Mailbox.Item::seq)
                    .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, items.size()).boxed().toList());
              }));
      others.add(
          during(
              threads,
              writing,
              () -> {
                for (int slice = 0; slice < Slices.COUNT; slice++) {
                  new DueIndex(nodes.other(), slice)
                      .takeDue(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1, 50);
                }
              }));
      List<Future<?>> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int offset = w * 7;
        ReadSideTables tables =
            new ReadSideTables(w % 2 == 0 ? nodes.one() : nodes.other(), MailboxItem::of);
        writers.add(
            threads.submit(
                () -> {
                  // Each writes all, from another place on: what one has written another repeats.
                  for (int i = 0; i < ROUNDS; i++) {
                    tables.write(
                        calls.get((i + offset) % ROUNDS).stream().map(SeenCalls::seen).toList());
                  }
                  return true;
                }));
      }
      try {
        for (Future<?> each : writers) {
          each.get();
        }
      } finally {
        writing.set(false); // or a failure would wait for the others for ever
      }
      for (Future<Boolean> each : others) {
        assertThat(each.get()).isTrue();
      }
      assertThat(mailbox.list(session, 0, 10_000))
          .hasSize(3 * ROUNDS)
          .extracting(Mailbox.Item::heldId)
          .doesNotHaveDuplicates();
    }
  }

  /** Two groups, each with a call that the other's conclusion wakes. */
  @ParameterizedTest
  @EnumSource
  void groupsThatWakeEachOthersCallsDoNotWaitInACircle(Engine engine) throws Exception {
    try (Nodes nodes = Nodes.of(engine, folder);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      ReadSideTables one = new ReadSideTables(nodes.one(), MailboxItem::of);
      ReadSideTables other = new ReadSideTables(nodes.other(), MailboxItem::of);
      CyclicBarrier together = new CyclicBarrier(2);
      for (int i = 0; i < ROUNDS; i++) {
        LiveCall first = SeenCalls.waitingIn("s-" + i);
        LiveCall second = SeenCalls.waitingIn("t-" + i);
        LiveCall behindFirst = SeenCalls.waitingIn("t-" + i, heldId(first));
        LiveCall behindSecond = SeenCalls.waitingIn("s-" + i, heldId(second));
        one.write(List.of(seen(first), seen(second), seen(behindFirst), seen(behindSecond)));
        first.cancel();
        second.cancel();
        Future<?> mine = threads.submit(write(one, together, first, behindSecond));
        Future<?> theirs = threads.submit(write(other, together, second, behindFirst));
        mine.get();
        theirs.get();
      }
    }
  }

  private static java.util.concurrent.Callable<Boolean> write(
      ReadSideTables tables, CyclicBarrier together, LiveCall... calls) {
    List<Seen> seen = java.util.Arrays.stream(calls).map(SeenCalls::seen).toList();
    return () -> {
      together.await();
      tables.write(seen);
      return true;
    };
  }
}
