package dev.heldcall.kernel.entity;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.entity.EntityBench.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.entity.EntityBench.Bench;
import dev.heldcall.kernel.entity.FakeWorld.Tools.Dispatch;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.entity.HeldCallProtocol.Wake;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding.Passivate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Those who wait for an answer, and calls that wait for their time. */
@Timeout(120)
class HeldCallWaitingTest {

  private static final EntityBench BENCH = new EntityBench();
  private static final Duration ABOVE_IDLE = FakeWorld.IDLE.plusSeconds(1);

  @AfterAll
  static void stop() {
    BENCH.close();
  }

  @AfterEach
  void stopCalls() {
    BENCH.stopCalls();
  }

  @Nested
  class WhoeverProposes {

    @Test
    void isAnsweredAtOnceIfTheCallIsHeld() {
      Bench call = BENCH.call("transfer", HUMAN);
      CallReply reply = call.ask(call.proposal());
      assertThat(reply.facts().concluded()).isFalse();
    }

    @Test
    void waitsForTheConclusionAsLongAsAsked() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.tell(call.proposal(), 30_000);
      call.awaitFacts(HeldCallFacts::proposed);
      BENCH.timePasses(Duration.ofSeconds(29));
      call.facts();
      call.noReply();
      BENCH.timePasses(Duration.ofSeconds(1));
      CallReply reply = call.reply();
      assertThat(reply.facts().concluded()).isFalse();
      assertThat(reply.facts().lifecycle()).isEqualTo(Lifecycle.OPEN);
    }

    @Test
    void isAnsweredOnceTheMailboxHasTheConclusion() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.world.mailbox.shut();
      call.tell(call.proposal(), 30_000);
      call.awaitFacts(HeldCallFacts::proposed);
      call.tell(new HeldCallCommand.CancelCall(AGENT, null));
      assertThat(call.reply().facts().lifecycle())
          .as("the cancel's")
          .isEqualTo(Lifecycle.CANCELLED);
      next(call.world.mailbox.offers);
      call.facts();
      call.noReply();
      call.world.mailbox.open();
      assertThat(call.reply().facts().concluded()).isTrue();
    }

    @Test
    void waitsForATransferThatIsUnderWayWithoutAsking() {
      Bench call = BENCH.call("transfer", ALLOW);
      call.tell(call.proposal());
      Dispatch dispatch = next(call.world.tools.dispatched);
      call.facts();
      call.noReply();
      dispatch.answer().complete(call.answer());
      assertThat(call.reply().facts().outcome()).isNotNull();
    }

    @Test
    void isAnsweredWhenTheOutcomeIsUnknown() {
      Bench call = BENCH.call("blind", ALLOW);
      call.tell(call.proposal(), 60_000);
      next(call.world.tools.dispatched).answer().complete(new DispatchReport.Unknown("cut"));
      assertThat(call.reply().facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
    }
  }

  @Nested
  class WhoeverReads {

    @Test
    void isAnsweredAtOnceIfThereIsSomethingNew() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.read(1, 30_000);
      assertThat(call.reply().sequence()).isEqualTo(2);
    }

    @Test
    void waitsForTheNextChange() {
      Bench call = BENCH.call("transfer", demand("human & ci")).proposed();
      call.read(2, 30_000);
      call.facts();
      call.noReply();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.tell(approval);
      assertThat(List.of(call.reply().sequence(), call.reply().sequence())).containsOnly(3L);
    }

    @Test
    void isAnsweredWhenItsTimeIsOver() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.read(2, 30_000);
      call.facts();
      BENCH.timePasses(Duration.ofSeconds(30));
      assertThat(call.reply().sequence()).isEqualTo(2);
    }
  }

  @Nested
  class LeavesMemory {

    private void idle(Bench call) {
      call.facts();
      BENCH.timePasses(ABOVE_IDLE);
      call.facts();
    }

    @Test
    void whenNothingHappens() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      idle(call);
      assertThat(call.shard.receiveMessage()).isInstanceOf(Passivate.class);
    }

    @Test
    void onlyOnceTheExecutorHasReported() {
      Bench call = BENCH.call("transfer", HUMAN, Duration.ofSeconds(2));
      Dispatch dispatch = call.dispatched();
      call.facts();
      BENCH.timePasses(Duration.ofSeconds(3));
      call.facts();
      call.shard.expectNoMessage(Duration.ZERO);
      dispatch.answer().complete(call.answer());
      next(call.world.mailbox.offers);
      BENCH.timePassesUntil(Duration.ofSeconds(3), call::asksToLeave);
    }

    @Test
    void onlyOnceTheMailboxHasTheConclusion() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.world.mailbox.shut();
      call.ask(new HeldCallCommand.CancelCall(AGENT, null));
      next(call.world.mailbox.offers);
      idle(call);
      call.shard.expectNoMessage(Duration.ZERO);
      call.world.mailbox.open();
      BENCH.timePassesUntil(ABOVE_IDLE, call::asksToLeave);
    }

    @Test
    void onlyOnceThePolicyHasComeForWhatIsHeldBack() {
      Bench call = BENCH.call("transfer", demand("human & ci")).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.world.policies.slow(true);
      call.world.policies.adopt(demand("human"));
      call.tell(new Wake());
      var read = call.world.policies.asked();
      BENCH.timePasses(ABOVE_IDLE);
      call.shard.expectNoMessage(Duration.ZERO);
      call.world.policies.slow(false);
      call.world.policies.comes(read);
      call.ask(approval);
      BENCH.timePassesUntil(ABOVE_IDLE, call::asksToLeave);
    }

    @Test
    void andWhoeverWaitsIsAnsweredAsThingsStand() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.read(2, Duration.ofMinutes(5).toMillis());
      idle(call);
      assertThat(call.reply().sequence()).isEqualTo(2);
      assertThat(call.shard.receiveMessage()).isInstanceOf(Passivate.class);
    }

    /** An incarnation that another one has overtaken would otherwise never learn it. */
    @Test
    void howeverOftenItIsAskedIfNothingIsWritten() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      BENCH.timePassesUntil(
          FakeWorld.IDLE.dividedBy(4),
          () -> {
            call.facts();
            return call.asksToLeave();
          });
    }

    @Test
    void alsoWhileAClientHasTheLease() {
      Bench call = BENCH.call("desk", ALLOW).proposed();
      call.ask(new HeldCallCommand.TakeLease(AGENT, 1, "worker", null));
      idle(call);
      assertThat(call.shard.receiveMessage()).isInstanceOf(Passivate.class);
    }

    @Test
    void alsoAfterAFailureOfTheJournal() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      BENCH.writes.fail(call.persistenceId());
      call.tell(new HeldCallCommand.CancelCall(AGENT, null));
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      BENCH.writes.succeed(call.persistenceId());
      BENCH.timePassesUntil(call::answers);
      BENCH.timePassesUntil(ABOVE_IDLE, call::asksToLeave);
    }
  }

  @Nested
  class ItsTimeComes {

    @Test
    void whileItIsInMemory() {
      Bench call = BENCH.call("transfer", demand("human", "{'expires_s': 60}")).proposed();
      call.world.clock.advance(Duration.ofSeconds(60));
      BENCH.timePasses(Duration.ofSeconds(61));
      call.awaitJournal("CallExpired");
      assertThat(next(call.world.mailbox.offers).lifecycle()).isEqualTo(Lifecycle.EXPIRED);
    }

    @Test
    void notByTheSchedulerButByTheClock() {
      Bench call = BENCH.call("transfer", demand("human", "{'expires_s': 60}")).proposed();
      BENCH.timePasses(Duration.ofSeconds(61));
      assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.OPEN);
    }

    @Test
    void whenItIsWokenAfterItHadLeft() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.stop();
      call.world.clock.advance(Duration.ofMinutes(10));
      call.startAgain();
      call.tell(new Wake());
      call.awaitJournal("CallExpired");
      assertThat(next(call.world.mailbox.offers).lifecycle()).isEqualTo(Lifecycle.EXPIRED);
      assertThat(call.journal()).containsExactly("CallProposed", "CallRuled", "CallExpired");
    }

    @Test
    void forAFallbackAndTheOthersAreAsked() {
      Bench call = BENCH.call("transfer", demand("fallback(ci, 1m, human)")).proposed();
      assertThat(next(call.world.published)).isEqualTo("ci");
      call.stop();
      call.world.clock.advance(Duration.ofMinutes(1));
      call.startAgain();
      call.tell(new Wake());
      call.awaitJournal("FallbackOpened");
      assertThat(List.of(next(call.world.published), next(call.world.published)))
          .containsExactlyInAnyOrder("ci", "human");
      call.ask(call.approval(ALICE));
      next(call.world.tools.dispatched);
    }

    @Test
    void forEvidenceThatNoLongerCounts() {
      Bench call = BENCH.call("transfer", demand("human & ci", "{'expires_s': 86400}")).proposed();
      call.ask(call.approval(CI));
      call.stop();
      call.world.clock.advance(Duration.ofHours(1));
      call.startAgain();
      call.awaitJournal("AttestationExpired");
      call.ask(call.approval(ALICE));
      assertThat(call.facts().execution()).isEqualTo(Execution.NONE);
    }

    @Test
    void forAClientsLease() {
      Bench call = BENCH.call("desk", HUMAN).proposed();
      call.ask(call.approval(ALICE));
      call.ask(new HeldCallCommand.TakeLease(AGENT, 1, "w", "key-1"));
      call.stop();
      call.startAgain();
      assertThat(call.facts().execution()).isEqualTo(Execution.LEASED);
      call.world.clock.advance(Duration.ofSeconds(5));
      call.tell(new Wake());
      call.awaitJournal("OutcomeBecameUnknown");
    }
  }
}
