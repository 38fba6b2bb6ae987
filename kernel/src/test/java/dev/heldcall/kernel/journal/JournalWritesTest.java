package dev.heldcall.kernel.journal;

import static dev.heldcall.kernel.journal.JournalBench.atomic;
import static dev.heldcall.kernel.journal.JournalBench.event;
import static dev.heldcall.kernel.journal.JournalBench.failed;
import static dev.heldcall.kernel.journal.JournalBench.failure;
import static dev.heldcall.kernel.journal.JournalBench.rejected;
import static dev.heldcall.kernel.journal.JournalBench.successful;
import static dev.heldcall.kernel.journal.JournalBench.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.journal.JournalBench.Replayed;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.Tagged;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What Pekko's protocol promises of writes beyond what its kit asks; and long journals. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class JournalWritesTest {

  private static final long MAX = Long.MAX_VALUE;

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static JournalBench bench;

  @Parameter Engine engine = Engine.H2;
  private final String id = JournalBench.newId();

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    bench = JournalBench.on(engine, folder);
  }

  @AfterParameterizedClassInvocation
  static void close() {
    bench.close();
  }

  private PersistentRepr named(long sequence) {
    return event(id, sequence, "a-" + sequence, "w");
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  void anAtomicWriteWithAnEventThatIsRejectedIsRejectedWhole() {
    TestKit probe = bench.probe();
    bench.send(
        probe,
        1,
        atomic(named(1)),
        atomic(named(2), event(id, 3, new Object(), "w"), named(4)),
        atomic(named(5), named(6)));
    successful(probe);
    assertThat(written(probe).persistent().sequenceNr()).isEqualTo(1);
    for (long sequence : range(2, 4)) {
      assertThat(rejected(probe).message().sequenceNr()).isEqualTo(sequence);
    }
    assertThat(written(probe).persistent().sequenceNr()).isEqualTo(5);
    assertThat(written(probe).persistent().sequenceNr()).isEqualTo(6);
    assertThat(bench.replayAll(id).sequences()).containsExactly(1L, 5L, 6L);
    assertThat(bench.replayAll(id).highest()).isEqualTo(6);
  }

  /** A recovery takes a short beginning for the whole: there must be no gap behind it. */
  @Test
  void whatIsWrittenBehindManyRejectedEventsIsRecovered() {
    List<AtomicWrite> rejected = new ArrayList<>();
    for (long i = 1; i <= ReadQueue.BEGINNING + 1L; i++) {
      rejected.add(atomic(event(id, i, new Object(), "w")));
    }
    TestKit probe = bench.probe();
    bench.send(probe, 1, rejected.toArray(AtomicWrite[]::new));
    successful(probe);
    assertThat(bench.replayAll(id).events()).isEmpty();
    long next = ReadQueue.BEGINNING + 2L;
    bench.write(atomic(named(next)));
    assertThat(bench.replayAll(id).sequences()).containsExactly(next);
    assertThat(bench.replayAll(id).highest()).isEqualTo(next);
  }

  @Test
  void anAtomicWriteThatConflictsLeavesNothingOfItself() {
    bench.write(atomic(named(1), named(2)));
    TestKit probe = bench.probe();
    bench.send(probe, 7, atomic(event(id, 2, "b-2", "x"), event(id, 3, "b-3", "x")));
    assertThat(failed(probe)).rootCause().isInstanceOf(java.sql.SQLException.class);
    for (long sequence : range(2, 3)) {
      JournalProtocol.WriteMessageFailure failure = failure(probe);
      assertThat(failure.message().sequenceNr()).isEqualTo(sequence);
      assertThat(failure.actorInstanceId()).isEqualTo(7);
    }
    assertThat(bench.replayAll(id).payloads()).containsExactly("a-1", "a-2");
    assertThat(bench.replayAll(id).highest()).isEqualTo(2);
  }

  @Test
  void writesInFlightAreAnsweredInOrderAndToTheInstanceThatAsked() {
    TestKit probe = bench.probe();
    for (int i = 1; i <= 60; i++) {
      bench.send(probe, i, atomic(named(i)));
    }
    for (int i = 1; i <= 60; i++) {
      successful(probe);
      JournalProtocol.WriteMessageSuccess written = written(probe);
      assertThat(written.persistent().sequenceNr()).isEqualTo(i);
      assertThat(written.actorInstanceId()).isEqualTo(i);
    }
    assertThat(bench.replayAll(id).sequences()).containsExactlyElementsOf(range(1, 60));
  }

  @Test
  void aWriteIsThereOnceItIsAnswered() {
    for (long i = 1; i <= 20; i++) {
      bench.write(atomic(named(i)));
      assertThat(bench.replayAll(id).highest()).isEqualTo(i);
    }
  }

  @Test
  void aTaggedEventIsStoredWithoutItsTags() {
    bench.write(atomic(event(id, 1, new Tagged("a-1", java.util.Set.of("blue")), "w")));
    assertThat(bench.replayAll(id).payloads()).containsExactly("a-1");
  }

  @Test
  void whenAndByWhomAnEventWasWrittenIsReplayed() {
    bench.write(atomic(named(1).withTimestamp(1_234), named(2).withManifest("adapted")));
    List<PersistentRepr> events = bench.replayAll(id).events();
    assertThat(events.getFirst().timestamp()).isEqualTo(1_234);
    assertThat(events.getFirst().writerUuid()).isEqualTo("w");
    assertThat(events.getLast().manifest()).isEqualTo("adapted");
  }

  @Test
  void aReplayIsNeverAnsweredFromBeforeADeletion() {
    bench.write(atomic(named(1)), atomic(named(2)));
    // Asks for the number and takes no event: what was read for it must not serve later.
    assertThat(bench.replay(id, 5, 4, MAX)).isEqualTo(new Replayed(List.of(), 2));
    bench.delete(id, 1);
    assertThat(bench.replayAll(id).sequences()).containsExactly(2L);
    bench.write(atomic(named(3)));
    assertThat(bench.replayAll(id).sequences()).containsExactly(2L, 3L);
  }

  @Test
  void aDeletedEventIsNeitherReadNorCounted() {
    var event = new ReferenceSerializer.Reference(bench.probe().getRef());
    bench.write(atomic(event(id, 1, event, "w")), atomic(named(2)), atomic(named(3)));
    bench.delete(id, 1);
    assertThat(bench.replayAll(id).sequences()).containsExactly(2L, 3L);
    assertThat(bench.replay(id, 1, MAX, 1).sequences()).containsExactly(2L);
    assertThat(bench.replay(id, 1, MAX, 2).sequences()).containsExactly(2L, 3L);
  }

  @Test
  void aJournalOfThousandsIsReplayedWholeAndInPart() {
    int length = 2_345;
    for (int from = 1; from <= length; from += 469) {
      bench.write(
          atomic(
              range(from, from + 468L).stream().map(this::named).toArray(PersistentRepr[]::new)));
    }
    Replayed all = bench.replayAll(id);
    assertThat(all.sequences()).containsExactlyElementsOf(range(1, length));
    assertThat(all.highest()).isEqualTo(length);
    assertThat(bench.replay(id, 450, 1_600, MAX).sequences())
        .containsExactlyElementsOf(range(450, 1_600));
    assertThat(bench.replay(id, 65, MAX, 1_000).sequences())
        .containsExactlyElementsOf(range(65, 1_064));
    assertThat(bench.replay(id, 1, 64, MAX).sequences()).containsExactlyElementsOf(range(1, 64));
    assertThat(bench.replay(id, 2_300, MAX, 0)).isEqualTo(new Replayed(List.of(), length));

    bench.delete(id, 2_000);
    assertThat(bench.replayAll(id).sequences()).containsExactlyElementsOf(range(2_001, length));
    assertThat(bench.replayAll(id).highest()).isEqualTo(length);
  }

  @Test
  void manyReplaysAtATimeAreEachItsOwn() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      String each = JournalBench.newId();
      ids.add(each);
      bench.write(atomic(event(each, 1, each, "w")), atomic(event(each, 2, each + "'", "w")));
    }
    ids.parallelStream()
        .forEach(
            each -> assertThat(bench.replayAll(each).payloads()).containsExactly(each, each + "'"));
  }
}
