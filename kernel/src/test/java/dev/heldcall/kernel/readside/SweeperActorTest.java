package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sweeper on a real due index, with time that passes by hand. */
@Timeout(60)
class SweeperActorTest {

  private static final Duration PACE = Duration.ofMillis(500);
  private static final int SLICE = 1;

  @TempDir Path folder;

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final BlockingQueue<String> woken = new LinkedBlockingQueue<>();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile long now = 1_000;
  private Store store;

  @BeforeEach
  void open() {
    store = TestDatabases.h2(folder).open();
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
    store.close();
  }

  private ActorRef<SweeperActor.Message> sweeper(Executor jdbc) {
    InstantSource millis = () -> Instant.ofEpochMilli(now);
    Clock clock = millis.withZone(ZoneOffset.UTC);
    return kit.spawn(
        SweeperActor.create(
            new DueIndex(store, SLICE),
            task -> {
              looks.incrementAndGet();
              jdbc.execute(task);
            },
            clock,
            woken::add));
  }

  private String next() throws InterruptedException {
    return Objects.requireNonNull(woken.poll(30, TimeUnit.SECONDS), "nobody was woken");
  }

  private void due(String heldId, long at) throws SQLException {
    DueIndexTest.write(store, heldId, at, 1);
  }

  /** Lets one sweep happen; whoever it wakes is awake then. */
  private void sweep() {
    int before = looks.get();
    org.awaitility.Awaitility.await()
        .until(
            () -> {
              time.timePasses(PACE);
              return looks.get() > before;
            });
  }

  @Test
  void wakesWhatIsDueAndAgainOnlyAfterAPause() throws Exception {
    List<String> ids = DueIndexTest.ids(SLICE, 3);
    due(ids.get(0), 900);
    due(ids.get(1), 1_000);
    due(ids.get(2), 5_000);
    sweeper(Runnable::run);
    sweep();
    assertThat(List.of(next(), next())).containsExactly(ids.get(0), ids.get(1));
    now = 10_999;
    sweep();
    assertThat(next()).isEqualTo(ids.get(2));
    now = 11_000;
    sweep();
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder(ids.get(0), ids.get(1));
  }

  @Test
  void wakesNobodyOfAnotherSlice() throws Exception {
    due(DueIndexTest.ids(SLICE + 1, 1).getFirst(), 1);
    String own = DueIndexTest.ids(SLICE, 1).getFirst();
    due(own, 2);
    sweeper(Runnable::run);
    sweep();
    assertThat(next()).isEqualTo(own);
    assertThat(woken).isEmpty();
  }

  @Test
  void goesOnAtOnceWhileThereIsMoreThanABatch() throws Exception {
    List<String> ids = DueIndexTest.ids(SLICE, 1_001);
    store.inTransaction(
        connection -> {
          CallIndex index = new CallIndex(store);
          for (String heldId : ids) {
            index.upsert(connection, DueIndexTest.row(heldId, 1L, 1));
          }
          return true;
        });
    sweeper(Runnable::run);
    sweep();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      all.add(next());
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void looksOnceAtATime() {
    BlockingQueue<Runnable> hanging = new LinkedBlockingQueue<>();
    sweeper(hanging::add);
    sweep();
    for (int i = 0; i < 5; i++) {
      time.timePasses(PACE);
    }
    assertThat(hanging).hasSize(1);
  }

  @Test
  void goesOnAfterADatabaseThatFailed() throws Exception {
    String heldId = DueIndexTest.ids(SLICE, 1).getFirst();
    due(heldId, 1);
    AtomicInteger failures = new AtomicInteger(2);
    sweeper(
        task -> {
          if (failures.getAndDecrement() > 0) {
            throw new RejectedExecutionException("the queue is full");
          }
          task.run();
        });
    await()
        .until(
            () -> {
              sweep();
              return failures.get() < 0;
            });
    assertThat(next()).isEqualTo(heldId);
  }

  @Test
  void endsWhenItIsTold() {
    ActorRef<SweeperActor.Message> sweeper = sweeper(Runnable::run);
    sweeper.tell(new SweeperActor.Stop());
    kit.createTestProbe().expectTerminated(sweeper);
  }

  @Test
  void endsWhenItIsToldWhileItLooks() {
    ActorRef<SweeperActor.Message> sweeper = sweeper(task -> {});
    sweep();
    sweeper.tell(new SweeperActor.Stop());
    kit.createTestProbe().expectTerminated(sweeper);
  }
}
