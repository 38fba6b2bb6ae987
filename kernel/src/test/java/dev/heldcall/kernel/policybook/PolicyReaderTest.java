package dev.heldcall.kernel.policybook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policybook.PolicyBookEvent.DocumentAdopted;
import dev.heldcall.kernel.policybook.PolicyBookEvent.FloorAdopted;
import dev.heldcall.kernel.policybook.PolicyReader.PolicyRead;
import dev.heldcall.kernel.policybook.PolicyReader.Read;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The database's threads are the test's: a read runs when the test says so. One list of all that
 * can come between a read and its answer, hence its length.
 */
class PolicyReaderTest {

  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
  private static final String FLOOR = PolicyBookEntity.FLOOR;
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(
                  ConfigFactory.parseString(
                      "pekko.actor.provider = local, pekko.actor.testkit.typed.single-expect-default = 20s")));

  private final FakePolicyJournal journal = new FakePolicyJournal();
  private final PolicyCache cache = new PolicyCache();
  private final PolicyLayers base = base();
  private final BlockingQueue<Runnable> threads = new LinkedBlockingQueue<>();
  private final ActorRef<PolicyReader.Command> reader =
      KIT.spawn(PolicyReader.create(journal, journal::decode, base, threads::add, cache));
  private final TestProbe<PolicyRead> first = KIT.createTestProbe();
  private final TestProbe<PolicyRead> second = KIT.createTestProbe();
  private final TestProbe<PolicyRead> third = KIT.createTestProbe();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @AfterEach
  void stopReader() {
    KIT.stop(reader);
  }

  private static PolicyLayers base() {
    try {
      return PolicyLayers.compile(rules("ALLOW"), null, Map.of());
    } catch (PolicyException e) {
      throw new AssertionError(e);
    }
  }

  static JsonNode rules(String verdict) {
    var document = JsonNodeFactory.instance.objectNode();
    var rule = document.putArray("rules").addObject().put("id", "r").put("verdict", verdict);
    rule.putArray("tools").add("t");
    return document;
  }

  private void adoptFloor(long revision, boolean ours) {
    var digest =
        ours
            ? base.floorDigest()
            : Digests.sha256("another floor".getBytes(StandardCharsets.UTF_8));
    journal.write(FLOOR, new FloorAdopted(revision, digest, NOW));
  }

  private void adoptDocument(String org, long revision, JsonNode document) {
    journal.write(
        PolicyBookEntity.nameOf(org),
        new DocumentAdopted(revision, document, "hc_1", "k" + revision, null, NOW));
  }

  private void ask(String org, TestProbe<PolicyRead> probe) {
    reader.tell(new Read(org, probe.getRef()));
  }

  /** The read that waits for a thread. */
  private Runnable nextRead() {
    try {
      return Objects.requireNonNull(threads.poll(20, TimeUnit.SECONDS), "no read was begun");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static PolicySnapshot snapshot(TestProbe<PolicyRead> probe) {
    PolicyRead read = probe.receiveMessage();
    assertThat(read.failure()).isNull();
    return Objects.requireNonNull(read.snapshot());
  }

  private static String failure(TestProbe<PolicyRead> probe) {
    return Objects.requireNonNull(probe.receiveMessage().failure());
  }

  private PolicySnapshot readNow(String org) {
    ask(org, first);
    nextRead().run();
    return snapshot(first);
  }

  @Nested
  class ASnapshot {

    @Test
    void hasTheSumOfTheRevisionsAndTheCompiledLayers() {
      adoptFloor(1, true);
      adoptDocument("acme", 1, rules("ALLOW"));
      adoptDocument("acme", 2, rules("DENY"));
      PolicySnapshot read = readNow("acme");

      assertThat(read.epoch()).isEqualTo(3);
      assertThat(read.floorRevision()).isEqualTo(1);
      assertThat(read.documentRevision()).isEqualTo(2);
      assertThat(read.floorAgreed()).isTrue();
      assertThat(read.document()).isEqualTo(rules("DENY"));
      assertThat(read.layers().organization()).contains(rules("DENY"));
    }

    @Test
    void ofAnOrganizationWithoutABookHasNoRules() {
      adoptFloor(1, true);
      PolicySnapshot read = readNow("new");

      assertThat(read.epoch()).isEqualTo(1);
      assertThat(read.document().path("rules")).isEmpty();
      assertThat(read.layers().policyVersion()).isEqualTo(base.policyVersion());
    }

    @Test
    void saysThatTheFloorIsNotAgreedWhenTheClusterHasAnotherOrNone() {
      assertThat(readNow("acme").floorAgreed()).isFalse();
      adoptFloor(1, false);
      assertThat(readNow("acme").floorAgreed()).isFalse();
      adoptFloor(2, true);
      assertThat(readNow("acme").floorAgreed()).isTrue();
    }

    @Test
    void isKnownToTheCache() {
      assertThat(cache.knownEpoch("acme")).isEmpty();
      adoptFloor(1, true);
      PolicySnapshot read = readNow("acme");

      assertThat(cache.knownEpoch("acme")).isEqualTo(OptionalLong.of(1));
      assertThat(cache.last("acme")).containsSame(read);
    }

    @Test
    void ofAnOrganizationNamedLikeTheFloorIsNotReadFromTheFloorsBook() {
      adoptFloor(1, true);
      adoptDocument(FLOOR, 1, rules("DENY"));

      assertThat(readNow(FLOOR).document()).isEqualTo(rules("DENY"));
    }
  }

  @Nested
  class ARead {

    @Test
    void looksAgainEveryTimeButLoadsOnlyWhatIsNew() {
      adoptFloor(1, true);
      adoptDocument("acme", 1, rules("ALLOW"));
      PolicySnapshot before = readNow("acme");
      PolicySnapshot same = readNow("acme");
      adoptDocument("acme", 2, rules("DENY"));
      PolicySnapshot after = readNow("acme");

      String floor = FakePolicyJournal.id(FLOOR);
      String acme = FakePolicyJournal.id("acme");
      assertThat(journal.looks()).hasSize(3).containsOnly(Set.of(floor, acme));
      assertThat(journal.loads())
          .containsExactly(floor + " from 1", acme + " from 1", acme + " from 2");
      assertThat(same.layers()).isSameAs(before.layers());
      assertThat(after.epoch()).isEqualTo(3);
    }

    @Test
    void seesAChangeOfTheFloorWithoutCompilingAgain() {
      adoptFloor(1, true);
      adoptDocument("acme", 1, rules("ALLOW"));
      PolicySnapshot before = readNow("acme");
      adoptFloor(2, false);
      PolicySnapshot after = readNow("acme");

      assertThat(after.epoch()).isEqualTo(before.epoch() + 1);
      assertThat(after.floorAgreed()).isFalse();
      assertThat(after.layers()).isSameAs(before.layers());
    }

    @Test
    void loadsALongBookInPages() {
      for (int revision = 1; revision <= 120; revision++) {
        adoptDocument("acme", revision, rules("ALLOW"));
      }

      assertThat(readNow("acme").epoch()).isEqualTo(120);
      assertThat(journal.loads()).hasSize(3);
    }

    @Test
    void believesADatabaseThatHasLessThanWasKnown() {
      adoptDocument("acme", 1, rules("ALLOW"));
      adoptDocument("acme", 2, rules("DENY"));
      assertThat(readNow("acme").epoch()).isEqualTo(2);
      journal.cut("acme", 1);

      assertThat(readNow("acme").document()).isEqualTo(rules("ALLOW"));
    }
  }

  @Nested
  class Coalescing {

    @Test
    void aRequestIsServedByAReadBegunAfterItCame() {
      adoptFloor(1, true);
      ask("acme", first);
      Runnable firstRead = nextRead();
      ask("acme", second);
      firstRead.run();
      PolicySnapshot early = snapshot(first);
      adoptDocument("acme", 1, rules("DENY"));
      nextRead().run();

      assertThat(early.epoch()).isEqualTo(1);
      assertThat(snapshot(second).epoch()).isEqualTo(2);
    }

    @Test
    void oneReadServesAllThatWaitForAllTheirOrganizations() {
      adoptFloor(1, true);
      adoptDocument("acme", 1, rules("DENY"));
      ask("acme", first);
      Runnable firstRead = nextRead();
      ask("acme", second);
      ask("other", third);
      ask("acme", first);
      firstRead.run();
      snapshot(first);
      nextRead().run();

      assertThat(snapshot(second)).isSameAs(snapshot(first));
      assertThat(snapshot(third).org()).isEqualTo("other");
      assertThat(journal.looks()).hasSize(2);
      assertThat(journal.looks().getLast())
          .containsExactlyInAnyOrder(
              FakePolicyJournal.id(FLOOR),
              FakePolicyJournal.id("acme"),
              FakePolicyJournal.id("other"));
    }

    @Test
    void moreRequestsThanMayWaitFailAtOnce() {
      ask("acme", first);
      for (int i = 0; i < PolicyReader.MAX_WAITING; i++) {
        ask("acme", second);
      }
      ask("acme", third);

      assertThat(failure(third)).contains("too many requests");
    }
  }

  @Nested
  class AFailure {

    @Test
    void ofTheDatabaseIsNeverAnsweredFromMemory() {
      adoptFloor(1, true);
      readNow("acme");
      journal.failWith(new SQLException("the connection is lost"));
      ask("acme", first);
      nextRead().run();

      assertThat(failure(first)).contains("the connection is lost");
      journal.failWith(null);
      assertThat(readNow("acme").epoch()).isEqualTo(1);
    }

    @Test
    void ofADocumentThatNoLongerCompilesNamesThePlace() {
      adoptDocument("acme", 1, rules("PERHAPS"));
      ask("acme", first);
      ask("other", second);
      nextRead().run();
      nextRead().run();

      assertThat(failure(first)).contains("organization /rules/0/verdict");
      assertThat(snapshot(second).org()).isEqualTo("other");
      assertThat(cache.last("acme")).isEmpty();
    }

    @Test
    void ofOneBookThatCannotBeUnderstoodIsNotTheOthers() {
      adoptDocument("acme", 1, rules("ALLOW"));
      adoptDocument("acme", 2, rules("DENY"));
      adoptDocument("acme", 3, rules("ALLOW"));
      journal.loseEvent("acme", 1);
      ask("blocks", third);
      Runnable blocking = nextRead();
      ask("acme", first);
      ask("other", second);
      blocking.run();
      nextRead().run();

      assertThat(failure(first)).contains("event 2 is missing");
      assertThat(snapshot(second).org()).isEqualTo("other");
    }

    @Test
    void ofTheFloorIsEverybodys() {
      adoptFloor(1, true);
      adoptFloor(2, true);
      journal.loseEvent(FLOOR, 0);
      ask("acme", first);
      nextRead().run();

      assertThat(failure(first)).contains("event 1 is missing");
    }

    @Test
    void ofTheExecutorIsAnswered() {
      var refusing =
          KIT.spawn(
              PolicyReader.create(
                  journal,
                  journal::decode,
                  base,
                  task -> {
                    throw new RejectedExecutionException();
                  },
                  cache));
      refusing.tell(new Read("acme", first.getRef()));

      assertThat(failure(first)).contains("no thread");
      KIT.stop(refusing);
    }
  }

  @Nested
  class ASlowRead {

    private final ManualTime time = ManualTime.get(KIT.system());

    private void letTheReadTimeOut() {
      time.timePasses(PolicyReader.TIME_LIMIT);
    }

    @Test
    void isGivenUpAndItsLateResultIsNotTaken() {
      adoptFloor(1, true);
      ask("acme", first);
      Runnable slow = nextRead();
      ask("acme", second);
      letTheReadTimeOut();

      assertThat(failure(first)).contains("within 2 s");
      Runnable next = nextRead();
      slow.run();
      adoptDocument("acme", 1, rules("DENY"));
      next.run();
      assertThat(snapshot(second).epoch()).isEqualTo(2);
      assertThat(readNow("acme").epoch()).isEqualTo(2);
    }

    @Test
    void fourOfThemHangingMakesTheNextFailAtOnceUntilOneEnds() {
      adoptFloor(1, true);
      Runnable hanging = null;
      for (int i = 0; i < 4; i++) {
        ask("acme", first);
        hanging = nextRead();
        letTheReadTimeOut();
        assertThat(failure(first)).contains("within 2 s");
      }
      ask("acme", second);
      assertThat(failure(second)).contains("4 reads of it hang");

      Objects.requireNonNull(hanging).run();
      assertThat(readNow("acme").epoch()).isEqualTo(1);
    }
  }
}
