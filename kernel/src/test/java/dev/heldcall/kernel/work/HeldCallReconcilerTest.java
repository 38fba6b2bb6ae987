package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.witness.KeyStandings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is enabled in each situation, by the plan's text. */
class HeldCallReconcilerTest {

  private static String plan(LiveCall call) {
    return HeldCallReconciler.plan(call.facts(), call.context())
        .text()
        .replace(call.facts().requireSpec().heldId(), "HELD")
        .replace(call.facts().requireSpec().heldId().substring(3), "HELD");
  }

  private static CallContext withoutFreshPolicy(CallContext of) {
    PolicyInForce policy = Objects.requireNonNull(of.policy());
    return new CallContext(
        of.now(),
        new PolicyInForce(
            policy.layers(),
            policy.epoch(),
            false,
            true,
            policy.capabilitiesNow(),
            policy.roster(),
            KeyStandings.ALL_STAND),
        of.terms(),
        of.running(),
        of.cannotTell(),
        of.refusalBound());
  }

  private static LiveCall waitingFor(List<String> dependencies) {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal("transfer", json("{'amount': 1}"), dependencies, Preferences.NONE)));
    return call;
  }

  @Test
  void nothingIsEnabledBeforeTheProposal() {
    assertThat(HeldCallReconciler.plan(HeldCallFacts.NONE, LiveCall.under(HUMAN).context()).items())
        .isEmpty();
  }

  @Test
  void theOrderOfAskingChangesNothing() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    WorkPlan once = HeldCallReconciler.plan(call.facts(), call.context());
    assertThat(HeldCallReconciler.plan(call.facts(), call.context())).isEqualTo(once);
  }

  @Nested
  class AHeldCall {

    @Test
    void asksEveryClassOfItsRule() {
      assertThat(plan(LiveCall.proposed(demand("human & (ci | compliance)"), "transfer")))
          .isEqualTo(
              """
              ask-witness:1:human - evidence is wanted
              ask-witness:1:ci - evidence is wanted
              ask-witness:1:compliance - evidence is wanted
              """);
    }

    @Test
    void asksAnewForItsNextGeneration() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.edit("{'amount': 1}");
      assertThat(plan(call)).isEqualTo("ask-witness:2:human - evidence is wanted\n");
    }

    @Test
    void asksTheSecondPartOfAFallbackOnlyOnceItOpened() {
      LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
      assertThat(plan(call)).isEqualTo("ask-witness:1:ci - evidence is wanted\n");
      call.advance(Duration.ofMinutes(1));
      assertThat(plan(call))
          .isEqualTo(
              """
              open-fallback:0 - its time has come
              ask-witness:1:ci - evidence is wanted
              """);
      call.tick();
      assertThat(plan(call))
          .isEqualTo(
              """
              ask-witness:1:ci - evidence is wanted
              ask-witness:1:human - evidence is wanted
              """);
    }

    @Test
    void expiresWithItsEvidence() {
      LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
      call.attest(ALICE, call.attestation("a-1", ALICE, APPROVE));
      call.advance(Duration.ofHours(1));
      assertThat(plan(call))
          .isEqualTo(
              """
              expire-attestation:a-1 - its time ran out
              expire-call - its time ran out
              ask-witness:1:human - evidence is wanted
              """);
    }

    @Test
    void isRuledAgainOnlyByAPolicyReadForIt() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.adopt(demand("ci"));
      assertThat(plan(call))
          .isEqualTo(
              """
              rule-again - policy has moved on
              ask-witness:1:human - evidence is wanted
              """);
      assertThat(HeldCallReconciler.plan(call.facts(), withoutFreshPolicy(call.context())).text())
          .isEqualTo("ask-witness:1:human - evidence is wanted\n");
    }

    @Test
    void asksNobodyOnceItsClientIsReady() {
      LiveCall call = LiveCall.proposed(HUMAN, "desk");
      call.approve(ALICE);
      assertThat(plan(call)).isEmpty();
    }

    @Test
    void thatIsRefutedAndHeldGoesOnAsking() {
      LiveCall call = LiveCall.proposed(demand("human", "{'on_refuted': 'hold'}"), "transfer");
      call.deny(ALICE);
      assertThat(plan(call)).isEqualTo("ask-witness:1:human - evidence is wanted\n");
    }
  }

  @Nested
  class Waiting {

    @Test
    void watchesWhatItDependsOnAndItsChildren() {
      LiveCall call = waitingFor(List.of("hc_b", "hc_a"));
      call.run(new HeldCallCommand.AnnounceChild("hc_c"));
      call.approve(ALICE);
      assertThat(plan(call))
          .isEqualTo(
              """
              watch-dependency:hc_a - must succeed first
              watch-dependency:hc_b - must succeed first
              watch-child:hc_c - must settle first
              """);
    }

    @Test
    void isRefusedWithItsDependency() {
      LiveCall call = waitingFor(List.of("hc_a"));
      var reported =
          call.decide(
              new HeldCallCommand.ReportDependency(
                  "hc_a", DependencyState.REFUSED, false, "denied"));
      assertThat(HeldCallReconciler.plan(reported.facts(), call.context()).text())
          .startsWith("refuse-dependent - a dependency ended\n");
    }
  }

  @Nested
  class ALease {

    @Test
    void isFoundWhenEverythingIsReady() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      var attested =
          call.decide(new HeldCallCommand.Attest(ALICE, call.attestation("a-1", ALICE, APPROVE)));
      assertThat(HeldCallReconciler.plan(attested.facts(), call.context()).text())
          .isEqualTo("grant-lease:1 - everything is ready\n");
    }

    @Test
    void isDispatchedByTheIncarnationThatTookIt() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      assertThat(plan(call)).isEqualTo("dispatch:ls_HELD.1.1 - its lease is in the journal\n");
    }

    @Test
    void isDeclaredUnknownByAnyOther() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer").restart();
      assertThat(plan(call)).isEqualTo("declare-unknown:ls_HELD.1.1 - nobody will report\n");
    }

    @Test
    void isDeclaredUnknownASecondAfterItsDeadline() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.at(call.lease().deadline().plusMillis(999));
      assertThat(plan(call)).startsWith("dispatch:");
      call.advance(Duration.ofMillis(1));
      assertThat(plan(call)).startsWith("declare-unknown:");
    }

    @Test
    void ofAClientIsNobodysToDispatchAndUnknownAtItsDeadline() {
      LiveCall call = LiveCall.proposed(ALLOW, "desk");
      call.take(CoreFixtures.AGENT, null);
      call.restart();
      assertThat(plan(call)).isEmpty();
      call.at(call.lease().deadline());
      assertThat(plan(call)).isEqualTo("declare-unknown:ls_HELD.1.1 - nobody will report\n");
    }

    @Test
    void provenWithoutEffectIsFollowedByAnotherAfterAPause() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.noEffect();
      assertThat(plan(call)).isEmpty();
      call.advance(Duration.ofSeconds(2));
      assertThat(plan(call)).isEqualTo("grant-lease:2 - everything is ready\n");
    }

    @Test
    void isGivenUpAfterTheLastAttempt() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.noEffect();
      call.advance(Duration.ofSeconds(2)).tick();
      call.noEffect();
      call.advance(Duration.ofSeconds(10)).tick();
      var last =
          call.decide(
              new HeldCallCommand.ReportDispatch(
                  call.lease().leaseId(),
                  new dev.heldcall.kernel.call.DispatchReport.NoEffect("refused")));
      assertThat(HeldCallReconciler.plan(last.facts(), call.context()).text())
          .isEqualTo("give-up - no attempt is left\n");
    }

    @Test
    void isNotTakenAfterAWishToCancel() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.cancel();
      var proof =
          call.decide(
              new HeldCallCommand.ReportDispatch(
                  call.lease().leaseId(),
                  new dev.heldcall.kernel.call.DispatchReport.NoEffect("refused")));
      assertThat(HeldCallReconciler.plan(proof.facts(), call.context()).text())
          .isEqualTo("cancel-wish - no effect, and a wish\n");
    }
  }

  @Nested
  class AnUnknownOutcome {

    @Test
    void isReadBackWhereTheToolCan() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.unknown();
      assertThat(plan(call)).isEqualTo("read-back:ls_HELD.1.1 - nobody knows what came of it\n");
    }

    @Test
    void waitsForAPersonWhereItCannot() {
      LiveCall call = LiveCall.proposed(ALLOW, "blind");
      call.unknown();
      call.advance(Duration.ofDays(1));
      assertThat(plan(call)).isEmpty();
    }

    @Test
    void isRepeatedWithTheSameKeyWhereTheToolHonoursIt() {
      LiveCall call = LiveCall.proposed(ALLOW, "charge");
      call.unknown();
      call.advance(Duration.ofSeconds(2));
      assertThat(plan(call)).isEqualTo("grant-lease:2 - everything is ready\n");
      call.advance(Duration.ofHours(1));
      assertThat(plan(call)).as("beyond the key's retention").isEmpty();
    }

    @Test
    void isReadBackBeforeItIsRepeated() {
      LiveCall call = LiveCall.proposed(ALLOW, "post");
      call.unknown();
      call.advance(Duration.ofSeconds(2));
      assertThat(plan(call)).isEqualTo("read-back:ls_HELD.1.1 - nobody knows what came of it\n");
      call.cannotTell();
      assertThat(plan(call))
          .isEqualTo(
              """
              grant-lease:2 - everything is ready
              read-back:ls_HELD.1.1 - nobody knows what came of it
              """);
    }
  }

  @Nested
  class AConclusion {

    @Test
    void isOfferedUntilItIsAcknowledged() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.answered("{'id': 7}");
      String offer = "offer-delivery:HELD.1 - the session has no outcome yet\n";
      assertThat(plan(call)).isEqualTo(offer);
      call.advance(Duration.ofDays(400)).restart();
      assertThat(plan(call)).isEqualTo(offer);
      call.acknowledge();
      assertThat(plan(call)).isEmpty();
    }

    @Test
    void mayBeARefusal() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.approve(BOB);
      call.noEffect();
      call.cancel();
      assertThat(plan(call)).isEqualTo("offer-delivery:HELD.1 - the session has no outcome yet\n");
    }
  }

  @Test
  void itemsHaveDistinctKeys() {
    LiveCall call = waitingFor(List.of("hc_a", "hc_b"));
    call.advance(Duration.ofHours(1)).adopt(demand("ci & human"));
    List<EnabledWork> items = HeldCallReconciler.plan(call.facts(), call.context()).items();
    assertThat(Set.copyOf(items.stream().map(EnabledWork::key).toList())).hasSameSizeAs(items);
  }
}
