package dev.heldcall.kernel.entity;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.entity.EntityBench.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.entity.EntityBench.Bench;
import dev.heldcall.kernel.entity.FakeWorld.Tools.Dispatch;
import dev.heldcall.kernel.entity.FakeWorld.Tools.Question;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Crashes of the process, of the journal and of the executor: one effect at most, and an answer.
 */
@Timeout(120)
class HeldCallRecoveryTest {

  private static final EntityBench BENCH = new EntityBench();

  @AfterAll
  static void stop() {
    BENCH.close();
  }

  @AfterEach
  void stopCalls() {
    BENCH.stopCalls();
  }

  private static ReadBackReport seen() {
    return LiveCall.effectSeen("{'id': 'p-1'}");
  }

  private static OutcomeSource source(HeldCallFacts facts) {
    return Objects.requireNonNull(facts.outcome()).source();
  }

  @Nested
  class AfterTheProcessDied {

    @Test
    void aHeldCallIsHeldAndItsWitnessesAreAskedAgain() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      next(call.world.published);
      HeldCallFacts before = call.facts();
      call.restart();
      assertThat(call.facts()).isEqualTo(before);
      assertThat(next(call.world.published)).isEqualTo("human");
      call.ask(call.approval(ALICE));
      next(call.world.tools.dispatched);
    }

    @Test
    void aLeaseWithoutAnOutcomeIsUnknownAndReadBack() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.dispatched();
      call.restart();
      Question question = next(call.world.tools.questions);
      assertThat(call.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
      question.answer().complete(seen());

      HeldCallFacts facts = call.awaitFacts(HeldCallFacts::concluded);
      assertThat(source(facts)).isEqualTo(OutcomeSource.READ_BACK);
      assertThat(facts.admission()).isEqualTo(Admission.ADMITTED);
      assertThat(next(call.world.mailbox.offers)).isEqualTo(facts);
      assertThat(call.world.tools.dispatches).hasValue(1);
      assertThat(call.written())
          .endsWith(
              List.of("AttestationAccepted", "LeaseGranted"),
              List.of("OutcomeBecameUnknown"),
              List.of("OutcomeRecorded", "ResultAdmitted"));
    }

    @Test
    void withoutReadBackNothingIsSentAgain() {
      Bench call = BENCH.call("blind", HUMAN);
      call.dispatched();
      call.restart();
      call.awaitFacts(facts -> facts.execution() == Execution.OUTCOME_UNKNOWN);
      call.world.clock.advance(Duration.ofHours(3));
      BENCH.timePasses(Duration.ofMinutes(1));
      call.tell(new HeldCallProtocol.Wake());
      assertThat(call.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
      assertThat(call.world.tools.dispatches).hasValue(1);
      assertThat(call.world.tools.questions).isEmpty();
    }

    @Test
    void anIdempotentToolGetsTheSameKeyAgain() {
      Bench call = BENCH.call("charge", HUMAN);
      String key = call.dispatched().order().lease().idempotencyKey();
      call.restart();
      call.awaitFacts(facts -> facts.execution() == Execution.OUTCOME_UNKNOWN);
      call.world.clock.advance(Duration.ofSeconds(3));
      call.tell(new HeldCallProtocol.Wake());
      Dispatch again = next(call.world.tools.dispatched);
      assertThat(again.order().lease().idempotencyKey()).isEqualTo(key);
      assertThat(again.order().lease().token().attempt()).isEqualTo(2);
      again.answer().complete(call.answer());
      assertThat(call.awaitFacts(HeldCallFacts::concluded).admission())
          .isEqualTo(Admission.ADMITTED);
    }

    @Test
    void aConclusionThatTheMailboxMayNotHaveIsOfferedAgain() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.world.mailbox.shut();
      call.dispatched().answer().complete(call.answer());
      HeldCallFacts first = next(call.world.mailbox.offers);
      call.restart();
      assertThat(next(call.world.mailbox.offers)).isEqualTo(first);
    }

    @Test
    void anAcknowledgedConclusionIsNot() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.dispatched().answer().complete(call.answer());
      next(call.world.mailbox.offers);
      call.ask(call.acknowledgement());
      call.restart();
      call.facts();
      assertThat(call.world.mailbox.offers).isEmpty();
    }
  }

  @Nested
  class WhenTheJournalFails {

    private void recovers(Bench call) {
      BENCH.writes.succeed(call.persistenceId());
      BENCH.timePassesUntil(() -> call.answers());
    }

    @Test
    void nothingIsSaidAndNothingStarted() {
      Bench call = BENCH.call("transfer", ALLOW);
      BENCH.writes.fail(call.persistenceId());
      call.tell(call.proposal());
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      recovers(call);
      call.noReply();
      assertThat(call.facts().proposed()).isFalse();
      assertThat(call.world.tools.dispatches).hasValue(0);

      call.tell(call.proposal());
      next(call.world.tools.dispatched).answer().complete(call.answer());
      assertThat(call.reply().facts().concluded()).isTrue();
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void aLeaseThatWasNotWrittenIsNotDispatchedAndTheSameApprovalIsTakenLater() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      BENCH.writes.fail(call.persistenceId());
      call.tell(approval);
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      recovers(call);
      call.noReply();
      assertThat(call.world.tools.dispatches).hasValue(0);

      assertThat(call.ask(approval).answer()).isEqualTo(new Answer.Attested(false));
      next(call.world.tools.dispatched).answer().complete(call.answer());
      call.awaitFacts(HeldCallFacts::concluded);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void anOutcomeThatWasNotWrittenIsReadBack() {
      Bench call = BENCH.call("transfer", HUMAN);
      Dispatch dispatch = call.dispatched();
      BENCH.writes.fail(call.persistenceId());
      dispatch.answer().complete(call.answer());
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      recovers(call);
      next(call.world.tools.questions).answer().complete(seen());

      HeldCallFacts facts = call.awaitFacts(HeldCallFacts::concluded);
      assertThat(source(facts)).isEqualTo(OutcomeSource.READ_BACK);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void aDispatchUnderWayIsReadBackToo() {
      Bench call = BENCH.call("transfer", HUMAN);
      Dispatch dispatch = call.dispatched();
      BENCH.writes.fail(call.persistenceId());
      call.tell(new HeldCallCommand.CancelCall(AGENT, null));
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      recovers(call);
      dispatch.answer().complete(call.answer());
      next(call.world.tools.questions).answer().complete(seen());
      call.awaitFacts(HeldCallFacts::concluded);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void itGoesOnFailingWithoutEndingTheCall() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      BENCH.writes.fail(call.persistenceId());
      for (int i = 1; i <= 3; i++) {
        int failures = i;
        call.tell(new HeldCallCommand.CancelCall(AGENT, null));
        await().until(() -> BENCH.writes.failedOf(call.persistenceId()).size() >= failures);
        BENCH.timePassesUntil(() -> call.answers());
      }
      recovers(call);
      assertThat(call.facts().lifecycle().wireName()).isEqualTo("open");
    }

    @Test
    void whoeverWaitedForTheConclusionIsAnsweredAsThingsStand() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.tell(call.proposal(), 60_000);
      call.awaitFacts(HeldCallFacts::proposed);
      HeldCallCommand.Attest approval = call.approval(ALICE);
      BENCH.writes.fail(call.persistenceId());
      call.tell(approval);
      await().until(() -> !BENCH.writes.failedOf(call.persistenceId()).isEmpty());
      recovers(call);
      assertThat(call.reply().facts().proposed()).isTrue();
    }
  }

  @Nested
  class WhenAChildDies {

    @Test
    void itsWitnessesAreAskedByAnother() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.world.nextDies();
      call.proposed();
      await().until(call.world::nobodyDiesAnyMore);
      BENCH.timePassesUntil(() -> !call.world.published.isEmpty());
      assertThat(next(call.world.published)).isEqualTo("human");
    }

    @Test
    void itsConclusionIsOfferedByAnother() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      next(call.world.published);
      call.world.nextDies();
      call.ask(new HeldCallCommand.CancelCall(AGENT, null));
      await().until(call.world::nobodyDiesAnyMore);
      BENCH.timePassesUntil(() -> !call.world.mailbox.offers.isEmpty());
    }
  }

  @Nested
  class WhenTheExecutorFails {

    @Test
    void theOutcomeIsUnknownAndReadBack() {
      Bench call = BENCH.call("transfer", HUMAN).proposed();
      call.world.tools.broken();
      call.tell(call.approval(ALICE));
      next(call.world.tools.questions).answer().complete(seen());
      HeldCallFacts facts = call.awaitFacts(HeldCallFacts::concluded);
      assertThat(source(facts)).isEqualTo(OutcomeSource.READ_BACK);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void aDispatchThatFailsIsUnknown() {
      Bench call = BENCH.call("blind", HUMAN);
      call.dispatched().answer().completeExceptionally(new IllegalStateException("broken"));
      call.awaitFacts(facts -> facts.execution() == Execution.OUTCOME_UNKNOWN);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void aDispatchWithoutAnAnswerIsUnknownAtItsDeadline() {
      Bench call = BENCH.call("blind", HUMAN);
      Dispatch dispatch = call.dispatched();
      BENCH.timePasses(Duration.ofSeconds(6));
      call.awaitFacts(facts -> facts.execution() == Execution.OUTCOME_UNKNOWN);
      dispatch.answer().complete(call.answer());
      assertThat(call.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
    }

    @Test
    void aDispatchThatWasNotSentIsSentUnderANewLeaseAfterAPause() {
      Bench call = BENCH.call("transfer", HUMAN);
      call.dispatched().answer().complete(new DispatchReport.NoEffect("connection refused"));
      call.awaitFacts(facts -> facts.execution() == Execution.NONE);
      assertThat(call.world.tools.dispatches).hasValue(1);
      call.world.clock.advance(Duration.ofSeconds(3));
      BENCH.timePassesUntil(() -> !call.world.tools.dispatched.isEmpty());
      assertThat(next(call.world.tools.dispatched).order().lease().token()).hasToString("1.2");
    }
  }
}
