package dev.heldcall.kernel.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.apache.pekko.persistence.PersistentEnvelope;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.testkit.javadsl.TestKit;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The plugin as Pekko runs it, on a database of its own, spoken to in the journal's protocol. */
final class JournalBench implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AtomicInteger ACTORS = new AtomicInteger();
  private static final String TEST =
      """
      pekko.loglevel = ERROR
      pekko.persistence.publish-plugin-commands = on
      pekko.actor.serializers.journal-test = "dev.heldcall.kernel.journal.ReferenceSerializer"
      pekko.actor.serialization-bindings {
        "dev.heldcall.kernel.journal.ReferenceSerializer$Reference" = journal-test
      }
      """;

  final Store store;
  final ActorSystem system;
  private final ActorRef journal;

  private JournalBench(Store store) {
    this.store = store;
    this.system = ActorSystem.create("journal", config(store));
    this.journal = Persistence.get(system).journalFor("", ConfigFactory.empty());
  }

  static JournalBench on(Engine engine, Path folder) {
    return new JournalBench(engine.fresh(folder).open());
  }

  static Config config(Store store) {
    return store
        .pekkoConfig()
        .withFallback(ConfigFactory.parseString(TEST))
        .withFallback(ConfigFactory.load());
  }

  /** A persistence id that nobody has used. */
  static String newId() {
    return "actor|" + ACTORS.incrementAndGet();
  }

  /** An event of an actor's incarnation. */
  static PersistentRepr event(String id, long sequence, Object payload, String writer) {
    return PersistentRepr.apply(payload, sequence, id, "", false, ActorRef.noSender(), writer);
  }

  /** Written all or none. */
  static AtomicWrite atomic(PersistentRepr... events) {
    return AtomicWrite.apply(seq(List.of(events)));
  }

  private static <T> Seq<T> seq(List<T> elements) {
    return CollectionConverters.asScala(elements).toSeq();
  }

  /** A mailbox to be answered in. */
  TestKit probe() {
    return new TestKit(system);
  }

  /** Asks for writes, without waiting for the answers. */
  void send(TestKit probe, int instance, AtomicWrite... writes) {
    List<PersistentEnvelope> envelopes = List.of(writes);
    journal.tell(
        new JournalProtocol.WriteMessages(seq(envelopes), probe.getRef(), instance),
        probe.getRef());
  }

  /** Writes the events that are named {@code a-<sequence>}; the last two atomically. */
  void writeNamed(String id, int from, int to, String writer) {
    TestKit probe = probe();
    List<AtomicWrite> writes = new ArrayList<>();
    for (long i = from; i < to - 1; i++) {
      writes.add(atomic(event(id, i, "a-" + i, writer)));
    }
    writes.add(
        atomic(event(id, to - 1L, "a-" + (to - 1), writer), event(id, to, "a-" + to, writer)));
    send(probe, 1, writes.toArray(AtomicWrite[]::new));
    successful(probe);
    for (long i = from; i <= to; i++) {
      PersistentRepr written = written(probe).persistent();
      assertThat(written.sequenceNr()).isEqualTo(i);
      assertThat(written.payload()).isEqualTo("a-" + i);
      assertThat(written.persistenceId()).isEqualTo(id);
      assertThat(written.writerUuid()).isEqualTo(writer);
    }
  }

  static void successful(TestKit probe) {
    probe.expectMsg(PATIENCE, JournalProtocol.WriteMessagesSuccessful$.MODULE$);
  }

  static Throwable failed(TestKit probe) {
    return probe.expectMsgClass(PATIENCE, JournalProtocol.WriteMessagesFailed.class).cause();
  }

  static JournalProtocol.WriteMessageSuccess written(TestKit probe) {
    return probe.expectMsgClass(PATIENCE, JournalProtocol.WriteMessageSuccess.class);
  }

  static JournalProtocol.WriteMessageRejected rejected(TestKit probe) {
    return probe.expectMsgClass(PATIENCE, JournalProtocol.WriteMessageRejected.class);
  }

  static JournalProtocol.WriteMessageFailure failure(TestKit probe) {
    return probe.expectMsgClass(PATIENCE, JournalProtocol.WriteMessageFailure.class);
  }

  /** Writes, and waits until that is durable. */
  void write(AtomicWrite... writes) {
    TestKit probe = probe();
    send(probe, 1, writes);
    successful(probe);
  }

  /**
   * What a recovery is given.
   *
   * @param events in the order in which they came
   * @param highest the sequence number to go on after
   */
  record Replayed(List<PersistentRepr> events, long highest) {
    List<Long> sequences() {
      return events.stream().map(PersistentRepr::sequenceNr).toList();
    }

    List<Object> payloads() {
      return events.stream().map(PersistentRepr::payload).toList();
    }
  }

  Replayed replay(String id, long from, long to, long max) {
    TestKit probe = probe();
    journal.tell(
        new JournalProtocol.ReplayMessages(from, to, max, id, probe.getRef()), ActorRef.noSender());
    List<PersistentRepr> events = new ArrayList<>();
    while (true) {
      JournalProtocol.Response answer =
          probe.expectMsgClass(PATIENCE, JournalProtocol.Response.class);
      switch (answer) {
        case JournalProtocol.ReplayedMessage message -> events.add(message.persistent());
        case JournalProtocol.RecoverySuccess end -> {
          return new Replayed(events, end.highestSequenceNr());
        }
        default -> throw new AssertionError(answer);
      }
    }
  }

  Replayed replayAll(String id) {
    return replay(id, 1, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  void delete(String id, long to) {
    TestKit probe = probe();
    journal.tell(new JournalProtocol.DeleteMessagesTo(id, to, probe.getRef()), ActorRef.noSender());
    assertThat(
            probe
                .expectMsgClass(PATIENCE, org.apache.pekko.persistence.DeleteMessagesSuccess.class)
                .toSequenceNr())
        .isEqualTo(to);
  }

  @Override
  public void close() {
    system.terminate();
    await().atMost(PATIENCE).until(system.getWhenTerminated().toCompletableFuture()::isDone);
    store.close();
  }
}
