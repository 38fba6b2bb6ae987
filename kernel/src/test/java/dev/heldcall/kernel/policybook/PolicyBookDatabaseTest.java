package dev.heldcall.kernel.policybook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.codec.KernelSerialization;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policybook.PolicyBookEntity.AdoptFloor;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Applied;
import dev.heldcall.kernel.policybook.PolicyBookEntity.ChangeDocument;
import dev.heldcall.kernel.policybook.PolicyBookEntity.ChangeReply;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Changed;
import dev.heldcall.kernel.policybook.PolicyBookEntity.FloorState;
import dev.heldcall.kernel.policybook.PolicyBookEntity.LookUp;
import dev.heldcall.kernel.policybook.PolicyBookEntity.LookUpReply;
import dev.heldcall.kernel.policybook.PolicyBookEntity.SeedDocument;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Seeded;
import dev.heldcall.kernel.policybook.PolicyReader.PolicyRead;
import dev.heldcall.kernel.readside.JournalReader;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the books write to a real journal, the reader finds there. */
class PolicyBookDatabaseTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void theReaderSeesWhatTheBooksWrote(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      ActorTestKit kit = ActorTestKit.create(KernelSerialization.under(store.pekkoConfig()));
      try {
        new Story(kit, store, threads).tell();
      } finally {
        kit.shutdownTestKit();
      }
    }
  }

  private static final class Story {

    private final ActorTestKit kit;
    private final JournalReader journal;
    private final PolicyLayers base;
    private final ActorRef<PolicyReader.Command> reader;

    Story(ActorTestKit kit, Store store, ExecutorService threads) throws PolicyException {
      this.kit = kit;
      this.journal = new JournalReader(store);
      this.base = PolicyLayers.compile(PolicyReaderTest.rules("ALLOW"), null, Map.of());
      Serialization serialization = SerializationExtension.get(kit.system());
      this.reader =
          kit.spawn(
              PolicyReader.create(
                  PolicyJournal.of(journal),
                  raw ->
                      (PolicyBookEvent)
                          serialization
                              .deserialize(raw.payload(), raw.serializerId(), raw.manifest())
                              .get(),
                  base,
                  threads,
                  new PolicyCache(),
                  PATIENCE));
    }

    private ActorRef<PolicyBookEntity.Command> book(String name) {
      TestProbe<ClusterSharding.ShardCommand> shard =
          kit.createTestProbe(ClusterSharding.ShardCommand.class);
      return kit.spawn(PolicyBookEntity.create(name, shard.getRef(), Clock.systemUTC()));
    }

    private PolicySnapshot read() {
      TestProbe<PolicyRead> answer = kit.createTestProbe();
      reader.tell(new PolicyReader.Read("acme", answer.getRef()));
      PolicyRead read = answer.receiveMessage();
      assertThat(read.failure()).isNull();
      return Objects.requireNonNull(read.snapshot());
    }

    void tell() throws SQLException {
      PolicySnapshot empty = read();
      assertThat(empty.epoch()).isZero();
      assertThat(empty.floorAgreed()).isFalse();

      TestProbe<FloorState> floor = kit.createTestProbe();
      book(PolicyBookEntity.FLOOR).tell(new AdoptFloor(base.floorDigest(), true, floor.getRef()));
      assertThat(floor.receiveMessage().revision()).isEqualTo(1);
      assertThat(read().floorAgreed()).isTrue();

      var allows = PolicyReaderTest.rules("ALLOW");
      var denies = PolicyReaderTest.rules("DENY");
      var acme = book("acme");
      TestProbe<Seeded> seeded = kit.createTestProbe();
      acme.tell(new SeedDocument(allows, Digests.ofCanonical(allows), seeded.getRef()));
      assertThat(seeded.receiveMessage()).isEqualTo(new Seeded(1, true));
      assertThat(read().document()).isEqualTo(allows);

      TestProbe<ChangeReply> changed = kit.createTestProbe();
      acme.tell(new ChangeDocument("hc_1.1", 1, denies, "hc_1", changed.getRef()));
      assertThat(changed.receiveMessage()).isEqualTo(new Changed(2));
      PolicySnapshot after = read();
      assertThat(after.document()).isEqualTo(denies);
      assertThat(after.epoch()).isEqualTo(3);

      kit.stop(acme);
      TestProbe<LookUpReply> found = kit.createTestProbe();
      book("acme").tell(new LookUp("hc_1.1", found.getRef()));
      assertThat(found.receiveMessage()).isEqualTo(new Applied(2));
      assertThat(
              journal.maxSequences(
                  List.of("policy-book|_floor", "policy-book|acme", "policy-book|none")))
          .isEqualTo(Map.of("policy-book|_floor", 1L, "policy-book|acme", 2L));
      assertThat(journal.maxSequences(List.of())).isEmpty();
    }
  }
}
