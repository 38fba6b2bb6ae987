package dev.heldcall.kernel.journal;

import static dev.heldcall.kernel.journal.JournalBench.atomic;
import static dev.heldcall.kernel.journal.JournalBench.event;
import static dev.heldcall.kernel.journal.JournalBench.rejected;
import static dev.heldcall.kernel.journal.JournalBench.successful;
import static dev.heldcall.kernel.journal.JournalBench.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.journal.JournalBench.Replayed;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every property that {@code JournalSpec} of pekko-persistence-tck names, its optional ones
 * included, each test under the kit's own words. Before each the journal has five events of an
 * actor, the last two written atomically.
 */
@ParameterizedClass
@EnumSource
@Timeout(60)
class JournalSpecTest {

  private static final long MAX = Long.MAX_VALUE;
  private static final String WRITER = "writer-1";

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

  @BeforeEach
  void fiveEvents() {
    bench.writeNamed(id, 1, 5, WRITER);
  }

  private void replays(long from, long to, long max, long first, long last) {
    Replayed replayed = bench.replay(id, from, to, max);
    assertThat(replayed.sequences())
        .containsExactlyElementsOf(LongStream.rangeClosed(first, last).boxed().toList());
    for (PersistentRepr each : replayed.events()) {
      assertThat(each).isEqualTo(event(id, each.sequenceNr(), "a-" + each.sequenceNr(), WRITER));
      assertThat(each.deleted()).isFalse();
      assertThat(each.sender()).isSameAs(ActorRef.noSender());
    }
    assertThat(replayed.highest()).isEqualTo(5);
  }

  private void replaysNothing(long from, long to, long max) {
    assertThat(bench.replay(id, from, to, max)).isEqualTo(new Replayed(java.util.List.of(), 5));
  }

  @Test
  void replayAllMessages() {
    replays(1, MAX, MAX, 1, 5);
  }

  @Test
  void replayMessagesUsingALowerSequenceNumberBound() {
    replays(3, MAX, MAX, 3, 5);
  }

  @Test
  void replayMessagesUsingAnUpperSequenceNumberBound() {
    replays(1, 3, MAX, 1, 3);
  }

  @Test
  void replayMessagesUsingACountLimit() {
    replays(1, MAX, 3, 1, 3);
  }

  @Test
  void replayMessagesUsingALowerAndUpperSequenceNumberBound() {
    replays(2, 3, MAX, 2, 3);
  }

  @Test
  void replayMessagesUsingALowerAndUpperSequenceNumberBoundAndACountLimit() {
    replays(2, 5, 2, 2, 3);
  }

  @Test
  void replayASingleIfLowerSequenceNumberBoundEqualsUpperSequenceNumberBound() {
    replays(2, 2, MAX, 2, 2);
  }

  @Test
  void replayASingleMessageIfCountLimitEqualsOne() {
    replays(2, 4, 1, 2, 2);
  }

  @Test
  void notReplayMessagesIfCountLimitEqualsZero() {
    replaysNothing(2, 4, 0);
  }

  @Test
  void notReplayMessagesIfLowerSequenceNumberBoundIsGreaterThanUpperSequenceNumberBound() {
    replaysNothing(3, 2, MAX);
  }

  @Test
  void notReplayMessagesIfThePersistentActorHasNotYetWrittenMessages() {
    Replayed replayed = bench.replay("non-existing-pid", 0, MAX, MAX);
    assertThat(replayed.events()).isEmpty();
    assertThat(replayed.highest()).isZero();
  }

  @Test
  void notReplayPermanentlyDeletedMessages() {
    TestKit subscriber = bench.probe();
    bench
        .system
        .getEventStream()
        .subscribe(subscriber.getRef(), JournalProtocol.DeleteMessagesTo.class);
    bench.delete(id, 3);
    assertThat(
            subscriber
                .expectMsgClass(Duration.ofSeconds(30), JournalProtocol.DeleteMessagesTo.class)
                .toSequenceNr())
        .isEqualTo(3);
    replays(1, MAX, MAX, 4, 5);
  }

  @Test
  void notResetHighestSequenceNrAfterMessageDeletion() {
    replays(0, MAX, MAX, 1, 5);
    bench.delete(id, 3);
    replays(0, MAX, MAX, 4, 5);
  }

  @Test
  void notResetHighestSequenceNrAfterJournalCleanup() {
    replays(0, MAX, MAX, 1, 5);
    bench.delete(id, MAX);
    replaysNothing(0, MAX, MAX);
  }

  @Test
  void replayAllSurvivingMessagesWhenTheLowerBoundEqualsTheLastDeletedSequenceNumber() {
    bench.delete(id, 3);
    replays(3, MAX, MAX, 4, 5);
  }

  @Test
  void returnOnlyRecoverySuccessWhenTheUpperBoundFallsWithinADeletedPrefix() {
    bench.delete(id, 3);
    replaysNothing(1, 2, MAX);
  }

  @Test
  void returnOnlyRecoverySuccessWhenTheUpperBoundEqualsTheLastDeletedSequenceNumber() {
    bench.delete(id, 3);
    replaysNothing(1, 3, MAX);
  }

  @Test
  void replayFromTheFirstSurvivingMessageWhenTheLowerBoundEqualsTheFirstSurvivingNumber() {
    bench.delete(id, 3);
    replays(4, MAX, MAX, 4, 5);
  }

  /** supportsReplayWindowSpanningDeletedPrefix. */
  @Test
  void replaySurvivingMessagesWithinBoundsWhenTheReplayWindowSpansADeletedPrefix() {
    bench.delete(id, 3);
    replays(1, 4, MAX, 4, 4);
  }

  /** supportsRejectingNonSerializableObjects. */
  @Test
  void rejectNonSerializableEvents() {
    Object foreign = new Object();
    TestKit probe = bench.probe();
    bench.send(
        probe,
        1,
        atomic(event(id, 6, "b-6", WRITER)),
        atomic(event(id, 7, foreign, WRITER)),
        atomic(event(id, 8, "b-8", WRITER)));
    successful(probe);
    assertThat(written(probe).persistent()).isEqualTo(event(id, 6, "b-6", WRITER));
    JournalProtocol.WriteMessageRejected rejected = rejected(probe);
    assertThat(rejected.message().sequenceNr()).isEqualTo(7);
    assertThat(rejected.message().payload()).isSameAs(foreign);
    assertThat(rejected.cause()).isInstanceOf(java.io.NotSerializableException.class);
    assertThat(written(probe).persistent()).isEqualTo(event(id, 8, "b-8", WRITER));

    Replayed replayed = bench.replay(id, 6, MAX, MAX);
    assertThat(replayed.payloads()).containsExactly("b-6", "b-8");
    assertThat(replayed.highest()).isEqualTo(8);
  }

  /** supportsSerialization. */
  @Test
  void serializeEvents() {
    TestKit probe = bench.probe();
    var event = new ReferenceSerializer.Reference(probe.getRef());
    bench.send(probe, 1, atomic(event(id, 6, event, WRITER)));
    successful(probe);
    assertThat(written(probe).persistent().payload()).isSameAs(event);
    assertThat(bench.replay(id, 6, MAX, MAX).payloads()).containsExactly(event);
  }

  /** supportsMetadata. */
  @Test
  void returnMetadata() {
    TestKit probe = bench.probe();
    bench.send(probe, 1, atomic(event(id, 6, "b-6", WRITER).withMetadata("meta-data")));
    successful(probe);
    assertThat(written(probe).persistent().metadata().get()).isEqualTo("meta-data");

    Replayed replayed = bench.replay(id, 6, 6, 1);
    assertThat(replayed.payloads()).containsExactly("b-6");
    assertThat(replayed.events().getFirst().metadata().get()).isEqualTo("meta-data");
    assertThat(replayed.highest()).isEqualTo(6);
    assertThat(bench.replay(id, 5, 5, 1).events().getFirst().metadata().isEmpty()).isTrue();
  }
}
