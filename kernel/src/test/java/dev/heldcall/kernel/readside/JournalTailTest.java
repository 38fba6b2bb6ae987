package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.readside.JournalRows.heldId;
import static dev.heldcall.kernel.readside.SeenCalls.sessionKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a crash left out is found in the journal; the time is the test's. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class JournalTailTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofSeconds(60);

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @Parameter Engine engine = Engine.H2;

  private final CallIndex index = new CallIndex(store);
  private final ReadSideWriter writer = writer();
  private JournalTail tail = new JournalTail(store, JournalRows.CODEC, writer);
  private long nanos = 1_000_000_000_000L;

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    store.close();
  }

  private static ReadSideWriter writer() {
    return new ReadSideWriter(new ReadSideTables(store, JournalTailTest::item), new MailboxBell());
  }

  /** No item is made of a call that was proposed for it. */
  private static ObjectNode item(HeldCallFacts facts) {
    if (facts.requireSpec().sessionId().equals("unfit")) {
      throw new IllegalStateException("unfit");
    }
    return MailboxItem.of(facts);
  }

  /** What other tests left is not this one's. */
  @BeforeEach
  void empty() throws SQLException {
    for (String table : List.of("event_journal", "call_index", "call_edge", "mailbox")) {
      execute("DELETE FROM " + table);
    }
    execute("UPDATE read_side_progress SET ordering = 0");
  }

  @AfterEach
  void stop() {
    writer.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = store.connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(String sql) throws SQLException {
    try (Connection connection = store.connection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private int lookAfter(Duration time) throws SQLException {
    nanos += time.toNanos();
    return tail.look(nanos);
  }

  private void index(LiveCall... calls) {
    for (LiveCall each : calls) {
      writer.write(each.facts(), each.journal().size()).join();
    }
  }

  private static LiveCall journalled(LiveCall call) throws SQLException {
    JournalRows.write(store, call);
    return call;
  }

  private boolean isIndexed(LiveCall call) throws SQLException {
    return index.find(heldId(call)).filter(row -> row.seqNr() == call.journal().size()).isPresent();
  }

  private static long reached() throws SQLException {
    return number("SELECT MAX(ordering) FROM event_journal");
  }

  @Test
  void findsCallsThatAreMissingAndWakesThem() throws SQLException {
    LiveCall waiting = journalled(SeenCalls.waiting());
    LiveCall concluded = journalled(SeenCalls.acknowledged());
    assertThat(lookAfter(SECOND)).isEqualTo(2);

    CallRow expected = CallRows.of(waiting.facts(), waiting.journal().size());
    assertThat(expected.dueAtMillis()).isGreaterThan(waiting.facts().lastEventAt().toEpochMilli());
    assertThat(index.find(heldId(waiting)))
        .contains(expected.dueAt(waiting.facts().lastEventAt().toEpochMilli()));
    assertThat(index.find(heldId(concluded)))
        .contains(CallRows.of(concluded.facts(), concluded.journal().size()));
    assertThat(new Mailbox(store).list(sessionKey(concluded), 0, 10))
        .extracting(Mailbox.Item::heldId, Mailbox.Item::acknowledged)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(heldId(concluded), true));
  }

  @Test
  void findsRowsThatAreOld() throws SQLException {
    LiveCall call = SeenCalls.concluded();
    index(journalled(call));
    assertThat(lookAfter(SECOND)).isZero();
    call.acknowledge();
    journalled(call);
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(call)).isTrue();
  }

  @Test
  void leavesAloneWhatIsThere() throws SQLException {
    LiveCall waiting = journalled(SeenCalls.waiting());
    LiveCall concluded = journalled(SeenCalls.concluded());
    index(waiting, concluded);
    execute("UPDATE call_index SET due_at = 4711");
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(lookAfter(MINUTE)).isZero();
    assertThat(lookAfter(MINUTE)).isZero();
    assertThat(index.find(heldId(waiting)).orElseThrow().dueAtMillis()).isEqualTo(4711);
  }

  @Test
  void leavesTheNodeASecondToWriteByItself() throws SQLException {
    assertThat(lookAfter(SECOND)).isZero();
    LiveCall call = journalled(SeenCalls.waiting());
    assertThat(lookAfter(Duration.ofMillis(500))).isZero();
    assertThat(lookAfter(Duration.ofMillis(500))).isZero();
    index(call);
    assertThat(lookAfter(SECOND)).isZero();
  }

  @Test
  void leavesAloneTheJournalsOfOthers() throws SQLException {
    LiveCall call = journalled(SeenCalls.waiting());
    execute("UPDATE event_journal SET persistence_id = 'session|" + heldId(call) + "'");
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(index.find(heldId(call))).isEmpty();
  }

  /** An ordering is drawn before its commit, so a slow transaction shows up behind others. */
  @Test
  void whatShowsUpBehindTheFirstLookIsFoundByTheSecond() throws SQLException {
    journalled(SeenCalls.waiting());
    long before = reached();
    execute("UPDATE event_journal SET ordering = ordering + 100");
    LiveCall late = SeenCalls.concluded();
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(lookAfter(SECOND)).isZero();

    journalled(late);
    execute(
        "UPDATE event_journal SET ordering = sequence_number + "
            + before
            + " WHERE persistence_id = '"
            + JournalRows.persistenceId(late)
            + "'");
    assertThat(reached()).isGreaterThan(before + late.journal().size());
    for (int second = 0; second < 57; second++) {
      assertThat(lookAfter(SECOND)).as("second %s", second).isZero();
    }
    assertThat(isIndexed(late)).isFalse();
    int found = 0;
    for (int second = 0; second < 5; second++) {
      found += lookAfter(SECOND);
    }
    assertThat(found).isEqualTo(1);
    assertThat(isIndexed(late)).isTrue();
  }

  @Test
  void onlyTheSecondLookIsRememberedOverARestart() throws SQLException {
    LiveCall call = journalled(SeenCalls.waiting());
    index(call);
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(number("SELECT ordering FROM read_side_progress")).isZero();

    execute("DELETE FROM call_index");
    tail = new JournalTail(store, JournalRows.CODEC, writer);
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(lookAfter(MINUTE)).isZero();
    assertThat(number("SELECT ordering FROM read_side_progress")).isEqualTo(reached());

    execute("DELETE FROM call_index");
    tail = new JournalTail(store, JournalRows.CODEC, writer);
    assertThat(lookAfter(SECOND)).isZero();
    assertThat(lookAfter(MINUTE)).isZero();
  }

  @Test
  void whatWasLookedAtOnlyOnceIsLookedAtAgainAfterARestart() throws SQLException {
    LiveCall first = journalled(SeenCalls.waiting());
    index(first);
    long twice = reached();
    assertThat(lookAfter(SECOND)).isZero();
    LiveCall second = journalled(SeenCalls.waiting());
    index(second);
    assertThat(lookAfter(MINUTE.minusSeconds(2))).isZero();
    // By now the first look is past the second call, and the second look past the first one only.
    assertThat(lookAfter(Duration.ofSeconds(2))).isZero();
    assertThat(number("SELECT ordering FROM read_side_progress")).isEqualTo(twice);

    execute("DELETE FROM call_index");
    tail = new JournalTail(store, JournalRows.CODEC, writer);
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(second)).isTrue();
    assertThat(isIndexed(first)).isFalse();
  }

  @Test
  void aJournalThatCannotBeReadStopsNobodyElse() throws SQLException {
    LiveCall garbled = journalled(SeenCalls.waiting());
    LiveCall headless = journalled(SeenCalls.waiting());
    execute(
        "UPDATE event_journal SET event_ser_manifest = 'no-such-event' WHERE persistence_id = '"
            + JournalRows.persistenceId(garbled)
            + "'");
    execute(
        "UPDATE event_journal SET deleted = TRUE WHERE sequence_number = 1 AND persistence_id = '"
            + JournalRows.persistenceId(headless)
            + "'");
    LiveCall sound = journalled(SeenCalls.waiting());
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(sound)).isTrue();

    LiveCall next = journalled(SeenCalls.waiting());
    assertThat(lookAfter(SECOND) + lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(next)).isTrue();
  }

  @Test
  void aCallThatCannotBeWrittenStopsNobodyElse() throws SQLException {
    LiveCall unfit = SeenCalls.waitingIn("unfit");
    unfit.cancel();
    journalled(unfit);
    LiveCall sound = journalled(SeenCalls.concluded());
    assertThat(lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(sound)).isTrue();
    assertThat(isIndexed(unfit)).isFalse();

    LiveCall next = journalled(SeenCalls.waiting());
    assertThat(lookAfter(SECOND) + lookAfter(SECOND)).isEqualTo(1);
    assertThat(isIndexed(next)).isTrue();
  }

  @Test
  void afterAFailureTheSameStretchIsLookedAtAgain() throws SQLException {
    LiveCall call = journalled(SeenCalls.waiting());
    execute("ALTER TABLE call_edge RENAME TO call_edge_away");
    execute("ALTER TABLE mailbox_head RENAME TO mailbox_head_away");
    LiveCall concluded = journalled(SeenCalls.concluded());
    try {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> lookAfter(SECOND))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("could not be made good");
      }
    } finally {
      execute("ALTER TABLE call_edge_away RENAME TO call_edge");
      execute("ALTER TABLE mailbox_head_away RENAME TO mailbox_head");
    }
    assertThat(lookAfter(SECOND)).isPositive();
    assertThat(isIndexed(call)).isTrue();
    assertThat(isIndexed(concluded)).isTrue();
    assertThat(lookAfter(MINUTE) + lookAfter(MINUTE)).isZero();
    assertThat(number("SELECT ordering FROM read_side_progress")).isEqualTo(reached());
  }
}
