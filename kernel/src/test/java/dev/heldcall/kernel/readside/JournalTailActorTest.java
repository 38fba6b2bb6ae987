package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tail is looked at again and again, whatever becomes of a look. */
@Timeout(60)
class JournalTailActorTest {

  private static final Duration PACE = Duration.ofSeconds(1);

  @TempDir Path folder;

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final AtomicInteger looks = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // before each
  private Store store;

  @SuppressWarnings("NullAway.Init") // before each
  private ReadSideWriter writer;

  @BeforeEach
  void open() {
    store = TestDatabases.h2(folder).open();
    writer = new ReadSideWriter(new ReadSideTables(store, MailboxItem::of), new MailboxBell());
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
    writer.close();
    store.close();
  }

  private ActorRef<JournalTailActor.Message> actor(Executor jdbc) {
    return kit.spawn(
        JournalTailActor.create(
            new JournalTail(store, JournalRows.CODEC, writer),
            task -> {
              looks.incrementAndGet();
              jdbc.execute(task);
            }));
  }

  /** Lets time pass until so many looks were begun. */
  private void looks(int count) {
    await()
        .until(
            () -> {
              if (looks.get() < count) {
                time.timePasses(PACE);
              }
              return looks.get() >= count;
            });
  }

  @Test
  void looksAtOnceAndAgainAfterALookThatFailed() throws Exception {
    LiveCall call = SeenCalls.waiting();
    JournalRows.write(store, call);
    AtomicInteger refusals = new AtomicInteger(2);
    actor(
        task -> {
          if (refusals.getAndDecrement() > 0) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        });
    await().until(() -> looks.get() == 1);
    assertThat(new CallIndex(store).find(JournalRows.heldId(call))).isEmpty();
    looks(3);
    await().until(() -> new CallIndex(store).find(JournalRows.heldId(call)).isPresent());
  }

  @Test
  void looksAgainAfterTheDatabaseWasAway() throws Exception {
    LiveCall call = SeenCalls.waiting();
    JournalRows.write(store, call);
    rename("call_index", "call_index_away");
    actor(Runnable::run);
    looks(3);
    rename("call_index_away", "call_index");
    int before = looks.get();
    looks(before + 2);
    assertThat(new CallIndex(store).find(JournalRows.heldId(call))).isPresent();
  }

  @Test
  void endsWhenItIsTold() {
    ActorRef<JournalTailActor.Message> actor = actor(Runnable::run);
    looks(2);
    TestProbe<Void> probe = kit.createTestProbe();
    actor.tell(new JournalTailActor.Stop());
    probe.expectTerminated(actor, Duration.ofSeconds(30));
  }

  private void rename(String from, String to) throws Exception {
    try (var connection = store.connection();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE " + from + " RENAME TO " + to);
    }
  }
}
