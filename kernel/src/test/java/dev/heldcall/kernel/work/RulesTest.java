package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.DENY;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.OPERATOR;
import static dev.heldcall.kernel.call.CoreFixtures.OWNER;
import static dev.heldcall.kernel.call.CoreFixtures.WORKER;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallCommand.ReportReadBack;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The design's numbered rules, each as far as the core can show it. It is long because the rules
 * should be read in one place, in their order.
 */
class RulesTest {

  private static String said(LoopResult result) {
    return LiveCall.said(result.answer());
  }

  private static List<String> kinds(LoopResult result) {
    return LiveCall.kinds(result.events());
  }

  private static LiveCall unknown(String tool) {
    LiveCall call = LiveCall.proposed(ALLOW, tool);
    call.unknown();
    return call;
  }

  private static LiveCall dependent(String... dependencies) {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal(
                "transfer", json("{'amount': 1}"), List.of(dependencies), Preferences.NONE)));
    return call;
  }

  private static LoopResult settled(LiveCall call, String id, DependencyState state) {
    return call.run(new HeldCallCommand.ReportDependency(id, state, false, "reported"));
  }

  @Test
  void rule01_anEditNeedsAnOpenCallWithoutALease() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    assertThat(said(call.edit("{'amount': 1}"))).isEqualTo("effect-dispatched");
    call.unknown();
    assertThat(said(call.edit("{'amount': 1}"))).isEqualTo("effect-dispatched");
    call.policy(null).advance(Duration.ofSeconds(20));
    call.readBack(new ReadBackReport.NoEffect());
    assertThat(said(call.edit("{'amount': 1}"))).isEqualTo("fresh policy needed");
  }

  @Test
  void rule01_anEditAfterAProofOfNoEffectRunsTheNewGeneration() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    assertThat(kinds(call.edit("{'amount': 1}")))
        .containsExactly("CallEdited", "CallRuled", "LeaseGranted");
    assertThat(call.lease().token()).hasToString("2.1");
    assertThat(call.lease().idempotencyKey()).isEqualTo(call.facts().requireSpec().heldId() + ".2");
    assertThat(call.lease().callDigest()).isEqualTo(call.facts().requireGeneration().callDigest());
  }

  @Test
  void rule02_noEffectFromAReadBackCountsOnlyAfterDeadlineAndSettle() {
    LiveCall call = unknown("transfer");
    Instant settles = call.lease().settlesAt();
    assertThat(settles).isEqualTo(call.lease().deadline().plusSeconds(10));
    call.at(settles.minusMillis(1));
    assertThat(call.readBack(new ReadBackReport.NoEffect()).events()).isEmpty();
    call.at(settles.plusSeconds(60));
    assertThat(
            call.run(
                    new ReportReadBack(
                        call.lease().leaseId(),
                        settles.minusMillis(1),
                        new ReadBackReport.NoEffect()))
                .events())
        .as("it counts by when it was asked, not by when it arrived")
        .isEmpty();
    assertThat(
            kinds(
                call.run(
                    new ReportReadBack(
                        call.lease().leaseId(), settles, new ReadBackReport.NoEffect()))))
        .startsWith("LeaseEndedWithoutEffect");
  }

  @Test
  void rule03_dispatchingAgainIsANewLeaseWithTheSameKey() {
    LiveCall call = unknown("charge");
    String key = call.lease().idempotencyKey();
    assertThat(kinds(call.advance(Duration.ofSeconds(2)).tick())).containsExactly("LeaseGranted");
    assertThat(call.lease().token()).hasToString("1.2");
    assertThat(call.lease().idempotencyKey()).isEqualTo(key);
    assertThat(call.lease().firstDispatchAt()).isEqualTo(CoreFixtures.START);
  }

  @Test
  void rule03_theRepeatedLeaseIsBoundToThePolicyInForceThen() {
    LiveCall call = unknown("charge");
    PolicyLayers same =
        CoreFixtures.layers(
            "{'id': 'other', 'tools': ['*'], 'verdict': 'ALLOW'}", null, CoreFixtures.TOOLS);
    call.adopt(same).advance(Duration.ofSeconds(2)).tick();
    assertThat(call.lease().token()).hasToString("1.2");
    assertThat(call.lease().epoch()).isEqualTo(2);
    assertThat(call.lease().policyVersion()).isEqualTo(same.policyVersion());
  }

  @Test
  void rule03_onlyASuccessClosesARepeatedDispatch() {
    LiveCall call = unknown("charge");
    call.advance(Duration.ofSeconds(2)).tick();
    assertThat(kinds(call.failed("{'error': 'conflict'}"))).containsExactly("OutcomeBecameUnknown");
    call.advance(Duration.ofSeconds(10)).tick();
    assertThat(kinds(call.answered("{'id': 7}")))
        .containsExactly("OutcomeRecorded", "ResultAdmitted");
    assertThat(call.dispatches()).isEqualTo(3);
  }

  @Test
  void rule03_norDoesALateErrorOfTheFirstWhileTheSecondIsUnderWay() {
    LiveCall call = unknown("charge");
    String first = call.lease().leaseId();
    call.advance(Duration.ofSeconds(2)).tick();
    assertThat(
            call.run(
                    new HeldCallCommand.ReportDispatch(
                        first, LiveCall.answer(false, "{'error': 1}")))
                .events())
        .isEmpty();
    call.answered("{'id': 7}");
    assertThat(call.outcome().succeeded()).isTrue();
    assertThat(
            call.run(new HeldCallCommand.ReportDispatch(first, LiveCall.answer(true, "{'id': 8}")))
                .events())
        .as("a second answer is no second result")
        .isEmpty();
  }

  @Test
  void rule03_expiryAWishToCancelAndTheKeysRetentionForbidIt() {
    LiveCall wished = unknown("charge");
    wished.cancel();
    assertThat(wished.advance(Duration.ofSeconds(2)).tick().events()).isEmpty();
    LiveCall forgotten = unknown("charge").advance(Duration.ofHours(1));
    assertThat(forgotten.tick().events()).isEmpty();
    LiveCall late = LiveCall.proposed(HUMAN, "charge");
    late.approve(ALICE);
    late.unknown();
    assertThat(late.advance(Duration.ofMinutes(10)).tick().events()).isEmpty();
    assertThat(late.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
  }

  @Test
  void rule04_resolutionIsNeverByTheProposerOrItsDelegate() {
    LiveCall call = unknown("blind").advance(Duration.ofMinutes(1));
    Principal self = CoreFixtures.principal("agent-1", Set.of(Role.AGENT, Role.OPERATOR));
    Principal delegate = CoreFixtures.principal("d", Set.of(Role.OPERATOR), "agent-1");
    for (Principal by : List.of(self, delegate, ALICE)) {
      assertThat(
              said(
                  call.run(
                      new HeldCallCommand.ResolveOutcome(
                          by, true, json("1"), json("{'ticket': 1}")))))
          .isEqualTo("forbidden");
    }
  }

  @Test
  void rule04_effectRecordsTheOutcome() {
    LiveCall call = unknown("blind");
    assertThat(kinds(call.resolve(true)))
        .containsExactly("OutcomeResolved", "OutcomeRecorded", "ResultAdmitted");
    assertThat(call.outcome().source()).isEqualTo(OutcomeSource.RESOLUTION);
    assertThat(call.resolve(true).events()).as("the same again").isEmpty();
    assertThat(said(call.resolve(true))).isEqualTo("stands");
    assertThat(said(call.resolve(false))).isEqualTo("resolution-conflict");
  }

  @Test
  void rule04_noEffectWaitsForTheBoundAndEndsTheCallForGood() {
    LiveCall call = unknown("charge");
    call.cancel();
    assertThat(said(call.resolve(false))).isEqualTo("too-early");
    call.at(call.lease().settlesAt());
    assertThat(kinds(call.resolve(false)))
        .containsExactly("OutcomeResolved", "LeaseEndedWithoutEffect", "CallCancelled");
    assertThat(said(call.resolve(false))).isEqualTo("stands");
    assertThat(said(call.resolve(true))).isEqualTo("resolution-conflict");
    assertThat(call.advance(Duration.ofDays(1)).tick().events()).isEmpty();
    assertThat(call.dispatches()).isOne();
    assertThat(call.end().by()).isEqualTo("operator");
  }

  @Test
  void rule04_anEffectIsPutDownToALeaseThatIsUnknownAndNotToOneProvenWithout() {
    LiveCall call = unknown("charge");
    String first = call.lease().leaseId();
    call.advance(Duration.ofSeconds(2)).tick();
    call.noEffect();
    call.resolve(true);
    assertThat(call.outcome().leaseId()).isEqualTo(first);
  }

  @Test
  void rule05_afterAProofOfNoEffectAWishToCancelEndsTheCall() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.cancel();
    assertThat(kinds(call.noEffect())).containsExactly("LeaseEndedWithoutEffect", "CallCancelled");
    assertThat(call.end().by()).isEqualTo("agent-1");
  }

  @Test
  void rule05_afterAProofOfNoEffectExpiryAndPolicyApply() {
    LiveCall late = LiveCall.proposed(HUMAN, "transfer");
    late.approve(ALICE);
    late.advance(Duration.ofMinutes(10));
    assertThat(kinds(late.noEffect())).containsExactly("LeaseEndedWithoutEffect", "CallExpired");
    LiveCall stricter = LiveCall.proposed(HUMAN, "transfer");
    stricter.approve(ALICE);
    stricter.adopt(DENY);
    assertThat(kinds(stricter.noEffect()))
        .containsExactly("LeaseEndedWithoutEffect", "CallRuled", "CallDenied");
  }

  @Test
  void rule05_attemptsAreBounded() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    call.advance(Duration.ofSeconds(2)).tick();
    call.noEffect();
    call.advance(Duration.ofSeconds(10)).tick();
    assertThat(kinds(call.noEffect())).containsExactly("LeaseEndedWithoutEffect", "CallDenied");
    assertThat(call.dispatches()).isEqualTo(3);
    assertThat(call.end().reason()).contains("3 dispatches");
  }

  @Test
  void rule05_anEffectReportedUnderAnOlderLeaseIsRecordedAndBlocksFurtherOnes() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    assertThat(kinds(call.answered("{'id': 7}"))).containsExactly("LateEffectReported");
    assertThat(call.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
    assertThat(call.advance(Duration.ofMinutes(1)).tick().events()).isEmpty();
    assertThat(said(call.edit("{'amount': 1}"))).isEqualTo("effect-dispatched");
    assertThat(kinds(call.resolve(true))).contains("OutcomeRecorded");
  }

  @Test
  void rule05_anEffectReadBackUnderALeaseProvenWithoutIsRecordedToo() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    LoopResult seen = call.readBack(LiveCall.effectSeen("{'id': 7}"));
    assertThat(LiveCall.kinds(seen.events())).containsExactly("LateEffectReported");
    call.advance(Duration.ofMinutes(1)).tick();
    assertThat(call.dispatches()).as("no further lease").isOne();
    assertThat(call.facts().execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
  }

  @Test
  void rule05_onAnEndedCallItIsRecordedAndItsOneRefusalStands() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    call.cancel();
    String told = String.valueOf(OutcomeJson.refusal(call.facts()));
    assertThat(kinds(call.answered("{'id': 7}"))).containsExactly("LateEffectReported");
    assertThat(said(call.resolve(true))).isEqualTo("not-open");
    assertThat(OutcomeJson.refusal(call.facts())).hasToString(told);
    assertThat(OutcomeJson.result(call.facts())).isNull();
  }

  @Test
  void rule06_aLeaseRestsOnAPolicyReadForItNeverOnOneInMemory() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    PolicyInForce fresh = Objects.requireNonNull(call.context().policy());
    call.policy(
        new PolicyInForce(
            fresh.layers(),
            fresh.epoch(),
            false,
            true,
            fresh.capabilitiesNow(),
            fresh.roster(),
            KeyStandings.ALL_STAND));
    LoopResult ready = call.approve(ALICE);
    assertThat(kinds(ready)).containsExactly("AttestationAccepted");
    assertThat(ready.wantsFreshPolicy()).isTrue();
    call.adopt(demand("human & ci"));
    assertThat(kinds(call.tick())).containsExactly("CallRuled");
    assertThat(call.dispatches()).isZero();
  }

  @Test
  void rule07_policyWhileUnknownChangesNothingRecordedButGovernsALaterLease() {
    LiveCall call = unknown("charge");
    HeldCallFacts before = call.facts();
    call.adopt(HUMAN).advance(Duration.ofSeconds(2));
    assertThat(call.tick().events()).isEmpty();
    assertThat(call.facts()).isEqualTo(before);
    assertThat(call.dispatches()).isOne();
    call.adopt(ALLOW);
    assertThat(kinds(call.tick())).containsExactly("LeaseGranted");
  }

  @Test
  void rule08_aNodeOfAnotherFloorTakesNoLeases() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    PolicyInForce agreed = Objects.requireNonNull(call.context().policy());
    call.policy(
        new PolicyInForce(
            agreed.layers(),
            agreed.epoch(),
            true,
            false,
            agreed.capabilitiesNow(),
            agreed.roster(),
            KeyStandings.ALL_STAND));
    assertThat(kinds(call.approve(ALICE))).containsExactly("AttestationAccepted");
    call.policy(agreed);
    assertThat(kinds(call.tick())).containsExactly("LeaseGranted");
  }

  @Test
  void rule08_theFloorsDigestIsPartOfThePolicyVersion() {
    PolicyLayers one = CoreFixtures.layers("", "{'rules': []}", CoreFixtures.TOOLS);
    PolicyLayers other =
        CoreFixtures.layers(
            "{'id': 'f', 'tools': ['x'], 'verdict': 'DENY'}", "{'rules': []}", CoreFixtures.TOOLS);
    assertThat(one.policyVersion()).isNotEqualTo(other.policyVersion());
  }

  @Test
  void rule09_whatTheCallAsksForOnlyNarrows() {
    Preferences require =
        new Preferences(
            null,
            Preferences.NONE.onDisconnect(),
            "human",
            List.of(),
            Preferences.NONE.transform(),
            Preferences.NONE.disclosure(),
            Preferences.NONE.resume());
    LiveCall narrowed = LiveCall.under(ALLOW);
    narrowed.run(LiveCall.propose(LiveCall.proposal("transfer", json("{}"), List.of(), require)));
    assertThat(narrowed.ruling().verdict().wireName()).isEqualTo("REQUIRE_WITNESS");
    LiveCall denied = LiveCall.under(DENY);
    denied.run(LiveCall.propose(LiveCall.proposal("transfer", json("{}"), List.of(), require)));
    assertThat(denied.ruling().verdict().wireName()).isEqualTo("DENY");
  }

  @Test
  void rule10_theContractDigestKnowsNoEpochRuleIdOrTime() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Digest before = call.contractDigest();
    Instant expires = Objects.requireNonNull(call.facts().expiresAt());
    call.approve(CI);
    PolicyLayers renamed =
        CoreFixtures.layers(
            "{'id': 'renamed', 'tools': ['transfer'], 'verdict': 'REQUIRE_WITNESS',"
                + " 'contract': {'rule': 'human', 'expires_s': 600}}",
            null,
            CoreFixtures.TOOLS);
    call.adopt(renamed).advance(Duration.ofMinutes(5));
    assertThat(kinds(call.tick())).containsExactly("CallRuled");
    assertThat(call.contractDigest()).isEqualTo(before);
    assertThat(call.facts().expiresAt()).as("ruling again extends nothing").isEqualTo(expires);
    call.edit("{'amount': 1}");
    assertThat(call.facts().expiresAt()).as("nor does an edit").isEqualTo(expires);
  }

  @Test
  void rule11_expiredMeansNowAtOrPastAndIsNeverUndone() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Instant expires = Objects.requireNonNull(call.facts().expiresAt());
    assertThat(call.at(expires.minusMillis(1)).tick().events()).isEmpty();
    assertThat(kinds(call.at(expires).tick())).containsExactly("CallExpired");
    call.at(CoreFixtures.START);
    assertThat(said(call.approve(ALICE))).isEqualTo("stale");
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.EXPIRED);
  }

  @Test
  void rule11_nowNeverRunsBehindTheLastEvent() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    call.advance(Duration.ofMinutes(5)).approve(ALICE);
    call.at(CoreFixtures.START).cancel();
    assertThat(call.facts().lastEventAt()).isEqualTo(CoreFixtures.START.plusSeconds(300));
    assertThat(call.end().at()).isEqualTo(CoreFixtures.START.plusSeconds(300));
  }

  @Test
  void rule12_aFallbackStartsWithTheHoldAndChangesWhoIsAskedNeverTheVerdict() {
    LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
    assertThat(said(call.approve(ALICE))).as("early evidence is taken").isEqualTo("accepted");
    assertThat(call.dispatches()).isZero();
    assertThat(call.advance(Duration.ofSeconds(59)).tick().events()).isEmpty();
    assertThat(kinds(call.advance(Duration.ofSeconds(1)).tick()))
        .containsExactly("FallbackOpened", "LeaseGranted");
    LiveCall silent = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
    silent.advance(Duration.ofMinutes(2)).tick();
    assertThat(silent.dispatches()).as("silence is no approval").isZero();
    assertThat(silent.ruling().verdict().wireName()).isEqualTo("REQUIRE_WITNESS");
  }

  @Test
  void rule12_afterARefutedFirstPartTheSecondCountsNoMore() {
    LiveCall call =
        LiveCall.proposed(demand("fallback(ci, 1m, human)", "{'on_refuted': 'hold'}"), "transfer");
    call.deny(CI);
    call.advance(Duration.ofMinutes(1)).approve(ALICE);
    assertThat(call.dispatches()).isZero();
    assertThat(call.status().readiness().wireName()).isEqualTo("refuted");
  }

  @Test
  void rule12_anEditStartsItAnew() {
    LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
    call.advance(Duration.ofMinutes(1)).tick();
    assertThat(call.facts().openFallbacks()).containsExactly(0);
    call.edit("{'amount': 1}");
    call.approve(ALICE);
    assertThat(call.facts().openFallbacks()).isEmpty();
    assertThat(call.dispatches()).isZero();
  }

  @Test
  void rule13_refutedIsTerminalAndALaterRevocationIsTooLateAndRecorded() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.deny(ALICE);
    String id = call.facts().evidence().firstEntry().getKey();
    LoopResult revoked = call.run(new HeldCallCommand.RevokeAttestation(ALICE, id, "a mistake"));
    assertThat(said(revoked)).isEqualTo("too-late");
    assertThat(kinds(revoked)).containsExactly("RevocationCameLate");
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
    LiveCall held = LiveCall.proposed(demand("human", "{'on_refuted': 'hold'}"), "transfer");
    held.deny(ALICE);
    String deny = held.facts().evidence().firstEntry().getKey();
    held.run(new HeldCallCommand.RevokeAttestation(ALICE, deny, "a mistake"));
    assertThat(kinds(held.approve(ALICE))).contains("LeaseGranted");
  }

  @Test
  void rule14_aClientLeaseIsADispatch() {
    LiveCall call = LiveCall.proposed(HUMAN, "desk");
    call.approve(ALICE);
    assertThat(said(call.take(OPERATOR, null))).isEqualTo("forbidden");
    assertThat(said(call.take(WORKER, "key-1"))).isEqualTo("leased 1.1");
    assertThat(said(call.take(WORKER, "key-1"))).as("the same key").isEqualTo("leased 1.1");
    assertThat(said(call.take(AGENT, "key-1"))).as("another's key").isEqualTo("leased");
    assertThat(said(call.take(WORKER, "key-2"))).isEqualTo("leased");
    assertThat(said(call.cancel())).isEqualTo("effect-dispatched");
    assertThat(said(call.edit("{'amount': 1}"))).isEqualTo("effect-dispatched");
    call.at(call.lease().deadline());
    assertThat(kinds(call.tick())).containsExactly("OutcomeBecameUnknown");
    assertThat(call.dispatches()).isOne();
  }

  @Test
  void rule15_attestationIdsAreUniqueOverAllGenerations() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    Attestation first = call.attestation("a-1", ALICE, APPROVE);
    call.attest(ALICE, first);
    call.edit("{'amount': 1}");
    assertThat(said(call.attest(ALICE, call.attestation("a-1", ALICE, APPROVE))))
        .isEqualTo("attestation-conflict");
    assertThat(said(call.attest(ALICE, first))).as("duplicate before stale").isEqualTo("duplicate");
    assertThat(said(call.attest(AGENT, rebound(first, "a-2"))))
        .as("stale before invalid")
        .isEqualTo("stale");
    assertThat(call.evidence("a-1").state()).isEqualTo(EvidenceState.STALE);
  }

  private static Attestation rebound(Attestation of, String id) {
    return new Attestation(
        id,
        of.generation(),
        of.callDigest(),
        of.contractDigest(),
        of.witnessClass(),
        of.decision(),
        of.reason(),
        of.evidence(),
        of.issuedAt(),
        of.expiresAt(),
        of.signature());
  }

  @Test
  void rule16_heldIdKeepsItsPartsApart() {
    assertThat(heldId("a:b", "c")).isNotEqualTo(heldId("a", "b:c"));
    assertThat(heldId("a", "b")).isEqualTo(heldId("a", "b")).matches("hc_[a-z2-7]{52}");
    assertThat(heldId("é", "c")).as("no normalization").isNotEqualTo(heldId("e\u0301", "c"));
  }

  private static String heldId(String session, String turn) {
    return new Proposal(
            session,
            turn,
            "c-1",
            Boundary.TOOL,
            "transfer",
            json("{}"),
            null,
            List.of(),
            null,
            Preferences.NONE)
        .identity(AGENT)
        .heldId();
  }

  @Test
  void rule17_aToolThatChangedMakesWaitingEvidenceStale() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    call.approve(ALICE);
    call.adopt(
        CoreFixtures.layers(
            CoreFixtures.demandRule("quorum(2, human)", "{}"),
            "{'default': 'DEFER'}",
            CoreFixtures.toolsElsewhere("transfer")));
    assertThat(kinds(call.approve(BOB))).contains("CallRuled").doesNotContain("LeaseGranted");
    assertThat(call.status().readiness().wireName()).isEqualTo("stale");
    call.approve(ALICE);
    assertThat(kinds(call.approve(BOB))).contains("LeaseGranted");
  }

  @Test
  void rule17_argumentsAreValidatedAgainAtTheLease() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.adopt(
        CoreFixtures.layers(
            CoreFixtures.demandRule("human", "{}"),
            null,
            CoreFixtures.toolsWithSchema("transfer", "{'required': ['currency']}")));
    assertThat(kinds(call.approve(ALICE))).contains("CallDenied").doesNotContain("LeaseGranted");
    assertThat(call.end().reason()).contains("schema");
  }

  @Test
  void rule20_eachDependencyMustHaveSucceeded() {
    LiveCall call = dependent("hc_a", "hc_b");
    call.approve(ALICE);
    settled(call, "hc_a", DependencyState.SATISFIED);
    assertThat(settled(call, "hc_b", DependencyState.PENDING).events()).isEmpty();
    assertThat(call.dispatches()).isZero();
    assertThat(kinds(settled(call, "hc_b", DependencyState.SATISFIED)))
        .containsExactly("DependencySettled", "LeaseGranted");
  }

  @Test
  void rule20_aRefusedOneRefusesTheDependent() {
    LiveCall call = dependent("hc_a");
    assertThat(kinds(settled(call, "hc_a", DependencyState.REFUSED)))
        .containsExactly("DependencySettled", "CallDenied");
    assertThat(call.end().by()).isEqualTo("dependency");
  }

  @Test
  void rule20_aParentWaitsForItsChildren() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.run(new HeldCallCommand.AnnounceChild("hc_child"));
    call.approve(ALICE);
    assertThat(call.dispatches()).isZero();
    assertThat(
            kinds(
                call.run(
                    new HeldCallCommand.ReportDependency(
                        "hc_child", DependencyState.REFUSED, true, "denied"))))
        .containsExactly("ChildSettled", "LeaseGranted");
  }

  @Test
  void rule21_aReplayOfAnAcknowledgedCallNeverRuns() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.answered("{'id': 7}");
    call.acknowledge();
    call.advance(Duration.ofDays(3_650)).restart();
    LoopResult again = call.run(LiveCall.propose(LiveCall.proposal("transfer")));
    assertThat(said(again)).isEqualTo("stands");
    assertThat(again.events()).isEmpty();
    assertThat(call.dispatches()).isOne();
    assertThat(call.facts().admission()).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void rule22_deliveryCostsNoWriteUntilItIsAcknowledgedOnce() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.answered("{'id': 7}");
    long written = call.facts().events();
    for (int i = 0; i < 20; i++) {
      assertThat(call.advance(Duration.ofHours(1)).tick().plan().text()).contains("offer-delivery");
    }
    assertThat(call.facts().events()).isEqualTo(written);
    assertThat(kinds(call.acknowledge())).containsExactly("DeliveryAcknowledged");
    assertThat(call.acknowledge().events()).isEmpty();
  }

  @Test
  void rule23_onlyPolicyOwnersProposeAPolicyChange() {
    LiveCall agents = LiveCall.under(HUMAN);
    agents.run(LiveCall.propose(policyChange(1)));
    assertThat(agents.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
    LiveCall owners = LiveCall.under(HUMAN);
    owners.run(LiveCall.propose(OWNER, policyChange(1)));
    assertThat(owners.ruling().verdict().wireName()).isEqualTo("REQUIRE_WITNESS");
    assertThat(kinds(owners.approve(ALICE))).contains("LeaseGranted");
  }

  @Test
  void rule23_aBaseThatIsNoLongerCurrentFailsAtTheLease() {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(LiveCall.propose(OWNER, policyChange(1)));
    call.adopt(HUMAN);
    assertThat(kinds(call.approve(ALICE))).contains("CallDenied").doesNotContain("LeaseGranted");
    assertThat(call.end().reason()).contains("base_epoch 1 is no longer current");
  }

  private static Proposal policyChange(long base) {
    return LiveCall.proposal(
        "heldcall.policy.change",
        json("{'base_epoch': " + base + ", 'document': {'rules': []}}"),
        List.of(),
        Preferences.NONE);
  }

  @Test
  void rule24_explainIsBoundedWhateverTheCallWaitsFor() {
    LiveCall call = LiveCall.proposed(demand("quorum(3, human)"), "transfer");
    for (int i = 0; i < 150; i++) {
      call.approve(i % 2 == 0 ? ALICE : BOB);
    }
    assertThat(call.status().explain()).hasSizeLessThan(10);
    assertThat(String.join("", call.status().explain())).hasSizeLessThan(2_000);
  }
}
