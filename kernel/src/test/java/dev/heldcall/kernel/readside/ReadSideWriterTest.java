package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.readside.JournalRows.heldId;
import static dev.heldcall.kernel.readside.SeenCalls.history;
import static dev.heldcall.kernel.readside.SeenCalls.seen;
import static dev.heldcall.kernel.readside.SeenCalls.sessionKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the writer writes what with what; its tables and its time are the test's. */
@Timeout(60)
class ReadSideWriterTest {

  private static final int CAPACITY = 40;

  private final ScriptedTables tables = new ScriptedTables();
  private final MailboxBell bell = new MailboxBell();
  private final AtomicLong nanos = new AtomicLong();
  private final ReadSideWriter writer = new ReadSideWriter(tables, bell, nanos::get, CAPACITY);

  @AfterEach
  void close() {
    tables.open();
    writer.close();
  }

  /** Notes what is written together, lets it pass when the test says so, and refuses some calls. */
  private static final class ScriptedTables implements ReadSideWriter.Tables {
    private final List<List<Seen>> groups = new CopyOnWriteArrayList<>();
    private final Map<String, Throwable> refused = new ConcurrentHashMap<>();
    private final Map<String, Mailbox.Appended> appended = new HashMap<>();
    private final Semaphore gate = new Semaphore(0);

    void open() {
      gate.release(1_000_000);
    }

    void awaitSomebody() {
      await().atMost(Duration.ofSeconds(30)).until(gate::hasQueuedThreads);
    }

    List<List<String>> groups() {
      return groups.stream().map(group -> group.stream().map(Seen::heldId).toList()).toList();
    }

    @Override
    public List<Mailbox.Appended> write(Collection<Seen> calls) throws SQLException {
      groups.add(List.copyOf(calls));
      gate.acquireUninterruptibly();
      List<Mailbox.Appended> put = new ArrayList<>();
      for (Seen call : calls) {
        switch (refused.get(call.heldId())) {
          case SQLException e -> throw e;
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          case null -> {}
          case Throwable other -> throw new AssertionError(other);
        }
        Mailbox.Appended one = appended.get(call.heldId());
        if (one != null) {
          put.add(one);
        }
      }
      return put;
    }
  }

  private static void done(CompletableFuture<Void> write) throws Exception {
    write.get(30, TimeUnit.SECONDS);
  }

  private CompletableFuture<Void> write(LiveCall call) {
    return writer.write(call.facts(), call.journal().size());
  }

  private void changed(LiveCall call) {
    writer.changed(call.facts(), call.journal().size());
  }

  /** Holds a call at the gate, so that what comes now is the next group. */
  private LiveCall underWay() {
    LiveCall call = SeenCalls.waiting();
    var _ = write(call);
    tables.awaitSomebody();
    return call;
  }

  private void lingerTimePasses() {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReadSideWriter.LINGER_MILLIS));
  }

  @Test
  void whatComesDuringAWriteIsWrittenTogether() throws Exception {
    LiveCall first = underWay();
    LiveCall second = SeenCalls.waiting();
    LiveCall third = SeenCalls.waiting();
    List<CompletableFuture<Void>> writes = List.of(write(second), write(third), write(second));
    tables.open();
    for (CompletableFuture<Void> each : writes) {
      done(each);
    }
    assertThat(tables.groups())
        .containsExactly(List.of(heldId(first)), List.of(heldId(second), heldId(third)));
  }

  @Test
  void aCallsNewestChangeTakesTheOthersPlaceWhateverTheOrder() throws Exception {
    LiveCall call = SeenCalls.acknowledged();
    List<Seen> history = history(call);
    var _ = underWay();
    writer.changed(history.get(1).facts(), 2);
    writer.changed(history.get(4).facts(), 5);
    CompletableFuture<Void> old = writer.write(history.get(2));
    writer.changed(history.getLast().facts(), history.size());
    writer.changed(history.get(3).facts(), 4);
    tables.open();
    done(old);
    assertThat(tables.groups).hasSize(2);
    assertThat(tables.groups.getLast()).containsExactly(seen(call));
  }

  @Test
  void aMereChangeLingersWhileWhatSomebodyWaitsForGoesAtOnce() throws Exception {
    LiveCall lingers = SeenCalls.waiting();
    LiveCall urgent = SeenCalls.waiting();
    tables.open();
    changed(lingers);
    done(write(urgent));
    assertThat(tables.groups()).containsExactly(List.of(heldId(urgent)));

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReadSideWriter.LINGER_MILLIS) - 1);
    LiveCall another = SeenCalls.waiting();
    done(write(another));
    assertThat(tables.groups.getLast()).containsExactly(seen(another));

    nanos.incrementAndGet();
    await().until(() -> tables.groups.size() == 3);
    assertThat(tables.groups.getLast()).containsExactly(seen(lingers));
  }

  @Test
  void changesDoNotPutTheirWriteOff() {
    LiveCall call = SeenCalls.acknowledged();
    tables.open();
    for (Seen each : history(call)) {
      writer.changed(each.facts(), each.sequence());
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReadSideWriter.LINGER_MILLIS) / 6);
    }
    await().until(() -> !tables.groups.isEmpty());
    lingerTimePasses();
    await().until(() -> tables.groups.getLast().contains(seen(call)));
  }

  @Test
  void whatIsDueGoesAlongWithWhatIsUrgent() throws Exception {
    LiveCall first = underWay();
    LiveCall due = SeenCalls.waiting();
    changed(due);
    lingerTimePasses();
    LiveCall fresh = SeenCalls.waiting();
    changed(fresh);
    LiveCall urgent = SeenCalls.waiting();
    CompletableFuture<Void> write = write(urgent);
    tables.open();
    done(write);
    assertThat(tables.groups())
        .containsExactly(List.of(heldId(first)), List.of(heldId(due), heldId(urgent)));
  }

  @Test
  void flushedWaitsForAllThatCameBefore() throws Exception {
    LiveCall first = underWay();
    LiveCall second = SeenCalls.waiting();
    changed(second);
    CompletableFuture<Void> flushed = writer.flushed();
    LiveCall later = SeenCalls.waiting();
    changed(later);
    assertThat(flushed).isNotDone();
    tables.open();
    done(flushed);
    assertThat(tables.groups()).containsExactly(List.of(heldId(first)), List.of(heldId(second)));
    done(writer.flushed());
    assertThat(tables.groups.getLast()).containsExactly(seen(later));
    assertThat(writer.flushed()).isCompleted();
  }

  @Test
  void flushedWaitsForAGroupThatIsUnderWayAloneToo() throws Exception {
    var _ = underWay();
    CompletableFuture<Void> flushed = writer.flushed();
    assertThat(flushed).isNotDone();
    tables.open();
    done(flushed);
  }

  @Test
  void flushedIsDoneThoughAWriteFailed() throws Exception {
    LiveCall call = SeenCalls.waiting();
    tables.refused.put(heldId(call), new SQLException("refused", "22001"));
    tables.open();
    changed(call);
    done(writer.flushed());
    assertThat(tables.groups()).containsExactly(List.of(heldId(call)));
  }

  @Test
  void oneThatFailsFailsAlone() throws Exception {
    LiveCall first = underWay();
    LiveCall sound = SeenCalls.waiting();
    LiveCall bad = SeenCalls.waiting();
    LiveCall worse = SeenCalls.waiting();
    LiveCall alsoSound = SeenCalls.waiting();
    tables.refused.put(heldId(bad), new SQLException("refused", "22001"));
    tables.refused.put(heldId(worse), new StackOverflowError("deep"));
    List<CompletableFuture<Void>> writes =
        List.of(write(sound), write(bad), write(worse), write(alsoSound));
    tables.open();
    done(writes.getFirst());
    done(writes.getLast());
    assertThatThrownBy(() -> done(writes.get(1))).hasRootCauseMessage("refused");
    assertThatThrownBy(() -> done(writes.get(2))).hasRootCauseMessage("deep");
    assertThat(tables.groups())
        .containsExactly(
            List.of(heldId(first)),
            List.of(heldId(sound), heldId(bad), heldId(worse), heldId(alsoSound)),
            List.of(heldId(sound)),
            List.of(heldId(bad)),
            List.of(heldId(worse)),
            List.of(heldId(alsoSound)));
  }

  /** Each would wait as long as the group did. */
  @Test
  void withoutADatabaseAGroupFailsAtOnce() {
    var _ = underWay();
    LiveCall second = SeenCalls.waiting();
    LiveCall third = SeenCalls.waiting();
    tables.refused.put(heldId(second), new SQLException("away", "08001"));
    List<CompletableFuture<Void>> writes = List.of(write(second), write(third));
    tables.open();
    for (CompletableFuture<Void> each : writes) {
      assertThatThrownBy(() -> done(each)).hasRootCauseMessage("away");
    }
    assertThat(tables.groups).hasSize(2);
  }

  @Test
  void whatFindsNoRoomFailsAtOnceAndAKnownCallNeedsNone() throws Exception {
    var _ = underWay();
    LiveCall known = SeenCalls.concluded();
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    writes.add(writer.write(history(known).getFirst()));
    while (writes.size() < CAPACITY) {
      writes.add(write(SeenCalls.waiting()));
    }
    CompletableFuture<Void> tooMany = write(SeenCalls.waiting());
    LiveCall dropped = SeenCalls.waiting();
    changed(dropped);
    changed(known);
    assertThat(tooMany).isCompletedExceptionally();
    assertThatThrownBy(tooMany::join)
        .hasCauseInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining(CAPACITY + " calls wait");
    tables.open();
    for (CompletableFuture<Void> each : writes) {
      done(each);
    }
    List<Seen> written = tables.groups.stream().flatMap(List::stream).toList();
    assertThat(written).contains(seen(known)).doesNotContain(seen(dropped));
    done(write(dropped));
  }

  @Test
  void aConclusionRingsForThoseWhoWaitAtItsMailbox() throws Exception {
    LiveCall call = SeenCalls.concluded();
    Mailbox.Item item = new Mailbox.Item(7, "d-1", heldId(call), false, "{}");
    tables.appended.put(heldId(call), new Mailbox.Appended(sessionKey(call), item));
    MailboxBell.Waiting here = bell.await(sessionKey(call));
    MailboxBell.Waiting elsewhere = bell.await("ss_other");
    tables.open();
    done(write(call));
    assertThat(here.rung().get(30, TimeUnit.SECONDS)).containsExactly(item);
    assertThat(elsewhere.rung()).isNotDone();
  }

  @Test
  void theCloseWritesWhatIsLeft() {
    LiveCall first = underWay();
    LiveCall second = SeenCalls.waiting();
    changed(second);
    tables.open();
    writer.close();
    assertThat(tables.groups()).containsExactly(List.of(heldId(first)), List.of(heldId(second)));
    LiveCall late = SeenCalls.waiting();
    assertThat(write(late)).isCompletedExceptionally();
    changed(late);
    assertThat(writer.flushed()).isCompleted();
    assertThat(tables.groups).hasSize(2);
  }
}
