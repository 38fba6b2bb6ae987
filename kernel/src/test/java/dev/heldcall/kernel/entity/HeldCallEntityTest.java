package dev.heldcall.kernel.entity;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.DENY;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.kernel.entity.EntityBench.next;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.entity.EntityBench.Bench;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.policy.PolicyLayers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is written, what is said and when, and what goes out to the world. */
@Timeout(120)
class HeldCallEntityTest {

  private static final EntityBench BENCH = new EntityBench();

  @AfterAll
  static void stop() {
    BENCH.close();
  }

  @AfterEach
  void stopCalls() {
    BENCH.stopCalls();
  }

  private static Bench call(PolicyLayers layers) {
    return BENCH.call("transfer", layers);
  }

  @Nested
  class Writes {

    @Test
    void anUndisturbedHoldTakesFour() {
      Bench call = call(HUMAN);
      call.dispatched().answer().complete(call.answer());
      next(call.world.mailbox.offers);
      CallReply acknowledged = call.ask(call.acknowledgement());

      assertThat(acknowledged.facts().delivery()).isEqualTo(Delivery.ACKNOWLEDGED);
      assertThat(next(call.world.mailbox.acknowledged)).isEqualTo(acknowledged.facts());
      assertThat(call.written())
          .containsExactly(
              List.of("CallProposed", "CallRuled"),
              List.of("AttestationAccepted", "LeaseGranted"),
              List.of("OutcomeRecorded", "ResultAdmitted"),
              List.of("DeliveryAcknowledged"));
      assertThat(acknowledged.sequence()).isEqualTo(7);
      assertThat(call.world.mailbox.listed()).isEqualTo(7);
      assertThat(call.world.tools.dispatches).hasValue(1);
    }

    @Test
    void anAllowedCallTakesTwo() {
      Bench call = call(ALLOW);
      call.tell(call.proposal());
      next(call.world.tools.dispatched).answer().complete(call.answer());
      assertThat(call.reply().facts().concluded()).isTrue();
      assertThat(call.written())
          .containsExactly(
              List.of("CallProposed", "CallRuled", "LeaseGranted"),
              List.of("OutcomeRecorded", "ResultAdmitted"));
    }

    @Test
    void aDeniedCallTakesOne() {
      Bench call = call(DENY);
      CallReply reply = call.ask(call.proposal());
      assertThat(reply.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
      assertThat(call.written())
          .containsExactly(List.of("CallProposed", "CallRuled", "CallDenied"));
      assertThat(call.world.tools.dispatches).hasValue(0);
    }

    @Test
    void whatChangesNothingTakesNone() {
      Bench call = call(HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.ask(approval);
      int before = call.written().size();
      assertThat(call.ask(approval).answer()).isEqualTo(new Answer.Attested(true));
      call.tell(new HeldCallProtocol.Wake());
      call.read(-1, 0);
      call.reply();
      call.tell(call.proposal());
      next(call.world.tools.dispatched).answer().complete(call.answer());
      assertThat(call.reply().answer()).isEqualTo(new Answer.Stands());
      assertThat(call.written()).hasSize(before + 1);
    }
  }

  @Nested
  class Outward {

    @Test
    void everyWantedClassIsAskedOnce() {
      Bench call = call(demand("human & ci")).proposed();
      List<String> asked = new ArrayList<>(List.of(next(call.world.asked), next(call.world.asked)));
      call.ask(call.approval(ALICE));
      call.tell(new HeldCallProtocol.Wake());
      call.facts();
      assertThat(asked).containsExactlyInAnyOrder("human", "ci");
      assertThat(call.world.asked).isEmpty();
    }

    @Test
    void theConclusionIsOfferedOnce() {
      Bench call = call(HUMAN).proposed();
      call.ask(new HeldCallCommand.CancelCall(AGENT, "no longer wanted"));
      HeldCallFacts offered = next(call.world.mailbox.offers);
      call.tell(new HeldCallProtocol.Wake());
      call.facts();
      assertThat(offered.lifecycle()).isEqualTo(Lifecycle.CANCELLED);
      assertThat(call.world.mailbox.offers).isEmpty();
    }

    @Test
    void theDispatchCarriesTheLeaseThatIsInTheJournal() {
      Bench call = call(HUMAN);
      var order = call.dispatched().order();
      assertThat(order.lease()).isEqualTo(call.facts().leases().getFirst().lease());
      assertThat(order.permit().get()).isEqualTo("permit");
      assertThat(call.written()).contains(List.of("AttestationAccepted", "LeaseGranted"));
    }
  }

  @Nested
  class WhileThePolicyCannotBeRead {

    @Test
    void nothingIsProposed() {
      Bench call = call(HUMAN);
      call.world.policies.reachable(false);
      assertThat(LiveCall.said(call.ask(call.proposal()).answer())).isEqualTo("unavailable");
      assertThat(call.written()).isEmpty();
      assertThat(call.facts().proposed()).isFalse();
    }

    @Test
    void evidenceIsTakenAndTheLeaseComesWithTheRetry() {
      Bench call = call(HUMAN).proposed();
      call.world.policies.reachable(false);
      assertThat(call.ask(call.approval(ALICE)).answer()).isEqualTo(new Answer.Attested(false));
      assertThat(call.written()).last().isEqualTo(List.of("AttestationAccepted"));

      call.world.policies.reachable(true);
      BENCH.timePasses(Duration.ofSeconds(1));
      next(call.world.tools.dispatched);
      assertThat(call.written()).last().isEqualTo(List.of("LeaseGranted"));
    }

    @Test
    void theRetryGoesOn() {
      Bench call = call(HUMAN).proposed();
      call.world.policies.reachable(false);
      call.ask(call.approval(ALICE));
      BENCH.timePassesUntil(() -> call.world.policies.failures() > 5);
      assertThat(call.world.tools.dispatches).hasValue(0);
      call.world.policies.reachable(true);
      BENCH.timePassesUntil(() -> !call.world.tools.dispatched.isEmpty());
    }

    @Test
    void aCancelNeedsNone() {
      Bench call = call(HUMAN).proposed();
      call.world.policies.reachable(false);
      CallReply reply = call.ask(new HeldCallCommand.CancelCall(AGENT, null));
      assertThat(reply.facts().lifecycle()).isEqualTo(Lifecycle.CANCELLED);
    }
  }

  @Nested
  class WhileThePolicyIsRead {

    @Test
    void aCancelComesFirstAndTheHeldBackApprovalIsTooLate() {
      Bench call = call(HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.world.policies.slow(true);
      call.tell(approval);
      CallReply cancelled = call.ask(new HeldCallCommand.CancelCall(AGENT, "stop"));
      assertThat(cancelled.facts().lifecycle()).isEqualTo(Lifecycle.CANCELLED);

      call.world.policies.comes();
      assertThat(LiveCall.said(call.reply().answer())).isEqualTo("stale");
      assertThat(call.journal())
          .containsExactly("CallProposed", "CallRuled", "CallCancelled", "AttestationRefused");
      assertThat(call.world.tools.dispatches).hasValue(0);
    }

    @Test
    void theSameApprovalFiftyTimesIsOneLease() {
      Bench call = call(HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.world.policies.slow(true);
      for (int i = 0; i < 50; i++) {
        call.tell(approval);
      }
      List<Answer> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        call.world.policies.comes();
        answers.add(call.reply().answer());
      }
      assertThat(answers).startsWith(new Answer.Attested(false));
      assertThat(answers.subList(1, 50)).containsOnly(new Answer.Attested(true));
      next(call.world.tools.dispatched);
      call.facts();
      assertThat(call.world.tools.dispatches).hasValue(1);
      assertThat(call.journal())
          .containsExactly("CallProposed", "CallRuled", "AttestationAccepted", "LeaseGranted");
    }

    @Test
    void anEditWhoseReadComesFirstMakesTheHeldBackApprovalStale() {
      Bench call = call(HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.world.policies.slow(true);
      call.tell(approval);
      var first = call.world.policies.asked();
      call.tell(new HeldCallCommand.EditCall(AGENT, 1, null, json("{'amount': 1}")));
      call.world.policies.comes();
      assertThat(call.reply().answer()).isEqualTo(new Answer.Stands());
      call.world.policies.comes(first);
      assertThat(LiveCall.said(call.reply().answer())).isEqualTo("stale");
      assertThat(call.world.tools.dispatches).hasValue(0);
    }

    @Test
    void aReadThatBeganBeforeTheCallBecameReadyGrantsNoLease() {
      PolicyLayers both = demand("human & ci");
      Bench call = BENCH.call("desk", both).proposed();
      call.ask(call.approval(ALICE));
      HeldCallCommand.Attest last = call.approval(CI);
      call.world.policies.slow(true);
      call.tell(new HeldCallCommand.TakeLease(AGENT, 1, null, null));
      var early = call.world.policies.asked();
      call.world.policies.adopt(DENY);
      assertThat(call.ask(last).answer()).isEqualTo(new Answer.Attested(false));

      early.complete(CoreFixtures.inForce(both, 1));
      call.world.policies.comes();
      assertThat(LiveCall.said(call.reply().answer())).isEqualTo("not-ready");
      assertThat(call.journal()).endsWith("CallDenied").doesNotContain("LeaseGranted");
    }

    @Test
    void aStricterPolicyAsksAgainInsteadOfLeasing() {
      Bench call = call(HUMAN).proposed();
      HeldCallCommand.Attest approval = call.approval(ALICE);
      call.world.policies.slow(true);
      call.tell(approval);
      call.world.policies.adopt(demand("human & ci"));
      call.world.policies.comes();
      assertThat(call.reply().answer()).isEqualTo(new Answer.Attested(false));
      assertThat(call.written()).last().isEqualTo(List.of("AttestationAccepted", "CallRuled"));
      assertThat(call.world.tools.dispatches).hasValue(0);
      assertThat(call.facts().execution()).isEqualTo(Execution.NONE);
    }
  }

  @Test
  void twoApprovalsOfAQuorumAreOneLease() {
    Bench call = call(demand("quorum(2, human)")).proposed();
    HeldCallCommand.Attest first = call.approval(ALICE);
    HeldCallCommand.Attest second = call.approval(BOB);
    call.tell(first);
    call.tell(second);
    call.reply();
    call.reply();
    next(call.world.tools.dispatched);
    assertThat(call.journal().stream().filter("LeaseGranted"::equals)).hasSize(1);
  }

  @Test
  void aReadSeesAPolicyThatThisNodeKnowsOf() {
    Bench call = call(HUMAN).proposed();
    call.world.policies.adopt(demand("human & ci"));
    call.read(-1, 0);
    CallReply reply = call.reply();
    assertThat(reply.facts().ruling())
        .isNotNull()
        .satisfies(it -> assertThat(it.epoch()).isEqualTo(2));
  }
}
