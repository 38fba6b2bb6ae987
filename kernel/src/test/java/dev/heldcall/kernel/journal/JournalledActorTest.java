package dev.heldcall.kernel.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Persistent actors on the plugin, as the product has them. */
@ParameterizedClass
@EnumSource
@Timeout(120)
class JournalledActorTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final AtomicInteger FAILED_RECOVERIES = new AtomicInteger();

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static ActorTestKit kit;

  @Parameter Engine engine = Engine.H2;

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
    kit = ActorTestKit.create("actors", JournalBench.config(store));
  }

  @AfterParameterizedClassInvocation
  static void close() {
    kit.shutdownTestKit();
    store.close();
  }

  /** Adds events to those that there are, and answers how many that makes. */
  private record Add(int events, ActorRef<Integer> replyTo) {}

  private static final class Counter extends EventSourcedBehavior<Add, String, Integer> {

    private Counter(String id) {
      super(
          PersistenceId.ofUniqueId(id),
          SupervisorStrategy.restartWithBackoff(Duration.ofMillis(50), Duration.ofMillis(200), 0));
    }

    @Override
    public Integer emptyState() {
      return 0;
    }

    @Override
    public CommandHandler<Add, String, Integer> commandHandler() {
      return newCommandHandlerBuilder()
          .forAnyState()
          .onCommand(
              Add.class,
              add ->
                  Effect()
                      .persist(Collections.nCopies(add.events(), "event"))
                      .thenRun(count -> add.replyTo().tell(count)))
          .build();
    }

    @Override
    public EventHandler<Integer, String> eventHandler() {
      return newEventHandlerBuilder()
          .forAnyState()
          .onEvent(String.class, (count, event) -> count + 1)
          .build();
    }

    @Override
    public SignalHandler<Integer> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(RecoveryFailed.class, (count, failed) -> FAILED_RECOVERIES.incrementAndGet())
          .build();
    }

    private static ActorRef<Add> start(String id) {
      return kit.spawn(new Counter(id));
    }
  }

  private static int add(ActorRef<Add> counter, int events) {
    TestProbe<Integer> probe = kit.createTestProbe(Integer.class);
    counter.tell(new Add(events, probe.getRef()));
    return probe.receiveMessage(PATIENCE);
  }

  @Test
  void anActorWithThousandsOfEventsRecovers() {
    String id = JournalBench.newId();
    ActorRef<Add> counter = Counter.start(id);
    assertThat(add(counter, 1_500)).isEqualTo(1_500);
    assertThat(add(counter, 1_500)).isEqualTo(3_000);
    kit.stop(counter);
    assertThat(add(Counter.start(id), 1)).isEqualTo(3_001);
  }

  @Test
  void manyActorsWriteAndRecoverTogether() {
    List<String> ids = new ArrayList<>();
    List<ActorRef<Add>> counters = new ArrayList<>();
    TestProbe<Integer> probe = kit.createTestProbe(Integer.class);
    for (int i = 0; i < 200; i++) {
      ids.add(JournalBench.newId());
      counters.add(Counter.start(ids.getLast()));
    }
    for (int round = 1; round <= 3; round++) {
      counters.forEach(each -> each.tell(new Add(2, probe.getRef())));
      for (int i = 0; i < counters.size(); i++) {
        assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(2 * round);
      }
    }
    counters.forEach(each -> kit.stop(each));
    List<ActorRef<Add>> again = ids.stream().map(Counter::start).toList();
    again.forEach(each -> each.tell(new Add(1, probe.getRef())));
    for (int i = 0; i < again.size(); i++) {
      assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(7);
    }
  }

  @Test
  void anActorOutlivesADatabaseThatFails() throws Exception {
    ActorRef<Add> counter = Counter.start(JournalBench.newId());
    assertThat(add(counter, 2)).isEqualTo(2);
    TestProbe<Integer> unanswered = kit.createTestProbe(Integer.class);
    FAILED_RECOVERIES.set(0);
    execute("ALTER TABLE event_journal RENAME TO event_journal_away");
    counter.tell(new Add(1, unanswered.getRef()));
    // The write has failed, or there would be no recovery.
    await().atMost(PATIENCE).until(() -> FAILED_RECOVERIES.get() > 0);
    execute("ALTER TABLE event_journal_away RENAME TO event_journal");
    assertThat(add(counter, 1)).isEqualTo(3);
    unanswered.expectNoMessage(Duration.ZERO);
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = store.connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
