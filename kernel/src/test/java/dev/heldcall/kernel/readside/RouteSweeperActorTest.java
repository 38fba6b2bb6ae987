package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.route.RouteKey;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sweeper of routes on a real table, with time that passes by hand. */
@Timeout(60)
class RouteSweeperActorTest {

  private static final Duration PACE = Duration.ofMillis(500);
  private static final long START = 1_000_000;

  @TempDir Path folder;

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ManualTime time = ManualTime.get(kit.system());
  private final BlockingQueue<String> woken = new LinkedBlockingQueue<>();
  private final BlockingQueue<RouteRecord> withdrawn = new LinkedBlockingQueue<>();
  private final JdbcExecutor jdbc = new JdbcExecutor(1);
  private volatile long now = START;
  private Store store;

  @BeforeEach
  void open() {
    store = TestDatabases.h2(folder).open();
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
    jdbc.close();
    store.close();
  }

  private ActorRef<RouteSweeperActor.Message> sweeper() {
    InstantSource millis = () -> Instant.ofEpochMilli(now);
    Clock clock = millis.withZone(ZoneOffset.UTC);
    return kit.spawn(
        RouteSweeperActor.create(new RouteTable(store), jdbc, clock, woken::add, withdrawn::add));
  }

  private void route(String heldId, String provider, RouteState state, @Nullable String reference)
      throws SQLException {
    Instant at = Instant.ofEpochMilli(START);
    RouteTable table = new RouteTable(store);
    RouteRecord opened =
        table.open(
            RouteRecord.wanted(
                new RouteKey(heldId, 1, provider), "acme", "t", CoreFixtures.PLUGINS, at));
    RouteRecord other =
        new RouteRecord(
            opened.key(),
            "acme",
            "t",
            CoreFixtures.PLUGINS,
            state,
            1,
            1,
            reference,
            at,
            at,
            0,
            null,
            at,
            0);
    assertThat(table.save(other, START)).isPresent();
  }

  private <T> T awaited(BlockingQueue<T> of) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              time.timePasses(PACE);
              return !of.isEmpty();
            });
    return Objects.requireNonNull(of.poll());
  }

  @Test
  void wakesACallOnceForAllOfItsRoutes() throws Exception {
    route("hc_1", "ci", RouteState.REQUESTED, "r");
    route("hc_1", "peer", RouteState.UNAVAILABLE, null);
    route("hc_1", "done", RouteState.ASKING, null);
    sweeper();
    assertThat(awaited(woken)).isEqualTo("hc_1");
    assertThat(woken).isEmpty();
    assertThat(withdrawn).isEmpty();
  }

  @Test
  void takesBackWhatIsNoLongerWantedAndWakesNobodyForIt() throws SQLException {
    route("hc_1", "ci", RouteState.UNWANTED, "r");
    sweeper();
    assertThat(awaited(withdrawn).reference()).isEqualTo("r");
    assertThat(woken).isEmpty();
  }

  @Test
  void comesAgainForWhatWasMissed() throws SQLException {
    route("hc_1", "ci", RouteState.UNWANTED, "r");
    sweeper();
    awaited(withdrawn);
    now = START + Duration.ofSeconds(15).toMillis();
    assertThat(awaited(withdrawn).key().heldId()).isEqualTo("hc_1");
  }

  @Test
  void goesOnAfterADatabaseThatFailed() throws SQLException {
    route("hc_1", "ci", RouteState.REQUESTED, "r");
    execute("ALTER TABLE witness_route RENAME TO elsewhere");
    org.apache.pekko.actor.testkit.typed.javadsl.LoggingTestKit.warn("could not be read")
        .expect(
            kit.system(),
            () -> {
              sweeper();
              await().until(() -> timePassed());
              return true;
            });
    execute("ALTER TABLE elsewhere RENAME TO witness_route");
    assertThat(awaited(woken)).isEqualTo("hc_1");
  }

  private boolean timePassed() {
    time.timePasses(PACE);
    return true;
  }

  private void execute(String sql) throws SQLException {
    try (var connection = store.connection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void goesOnAtOnceWhileThereIsMoreThanABatch() throws SQLException {
    for (int i = 0; i < 201; i++) {
      route("hc_" + i, "ci", RouteState.REQUESTED, "r");
    }
    sweeper();
    awaited(woken);
    await().atMost(Duration.ofSeconds(20)).until(() -> woken.size() >= 200);
    assertThat(List.copyOf(woken)).doesNotHaveDuplicates();
  }

  @Test
  void endsWhenItIsTold() {
    ActorRef<RouteSweeperActor.Message> sweeper = sweeper();
    sweeper.tell(new RouteSweeperActor.Stop());
    kit.createTestProbe().expectTerminated(sweeper);
  }
}
