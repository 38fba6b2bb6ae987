package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.OTHER_DIGEST;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Attestation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What each event means for the facts, that telling it twice means nothing, and its late case: one
 * nested class an event, hence its length.
 */
class HeldCallReducerTest {

  private static final Instant LATER = CoreFixtures.START.plusSeconds(30);

  private static EventMeta next(HeldCallFacts facts) {
    return new EventMeta(EventIds.of(facts.events() + 1), LATER, "somebody");
  }

  /** Reduces the event, and holds that reducing it again changes nothing. */
  private static HeldCallFacts reduce(HeldCallFacts facts, HeldCallEvent event) {
    HeldCallFacts once = HeldCallReducer.reduce(facts, event);
    assertThat(HeldCallReducer.reduce(once, event)).as("told twice").isEqualTo(once);
    return once;
  }

  private static HeldCallFacts held() {
    return LiveCall.proposed(demand("quorum(2, human)"), "transfer").facts();
  }

  /** Held, with Alice's approval a-1. */
  private static HeldCallFacts witnessed() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    call.attest(ALICE, call.attestation("a-1", ALICE, APPROVE));
    return call.facts();
  }

  private static HeldCallFacts leased() {
    return LiveCall.proposed(ALLOW, "transfer").facts();
  }

  private static Lease lease(HeldCallFacts facts) {
    return Objects.requireNonNull(facts.lastLease()).lease();
  }

  private static Evidence evidence(HeldCallFacts facts, String id) {
    return Objects.requireNonNull(facts.evidence().get(id));
  }

  private static LeaseState leaseState(HeldCallFacts facts) {
    return Objects.requireNonNull(facts.lastLease()).state();
  }

  private static HeldCallFacts recorded() {
    HeldCallFacts facts = leased();
    return reduce(facts, outcome(facts));
  }

  private static HeldCallEvent outcome(HeldCallFacts facts) {
    return new HeldCallEvent.OutcomeRecorded(
        next(facts),
        lease(facts).leaseId(),
        true,
        OTHER_DIGEST,
        9,
        false,
        OutcomeSource.ANSWER,
        "200");
  }

  private static Ruling ruling(HeldCallFacts facts, Ruling of, long epoch) {
    return new Ruling(
        facts.requireGeneration().number(),
        of.verdict(),
        of.contract(),
        of.contractDigest(),
        of.reasons(),
        of.policyVersion(),
        epoch,
        of.toolDigest(),
        of.traits(),
        LATER);
  }

  private static HeldCallEvent ruled(
      HeldCallFacts facts, Ruling of, long epoch, @Nullable Instant expiresAt, boolean stands) {
    return new HeldCallEvent.CallRuled(next(facts), ruling(facts, of, epoch), expiresAt, stands);
  }

  private static Ruling otherRuling() {
    return LiveCall.proposed(demand("human & ci"), "transfer").ruling();
  }

  private static Ruling ownRuling(HeldCallFacts facts) {
    return Objects.requireNonNull(facts.ruling());
  }

  @Nested
  class Anything {

    @Test
    void countsEventsAndKeepsTheLatestTime() {
      HeldCallFacts facts = held();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.ChildAnnounced(next(facts), "hc_child"));
      assertThat(after.events()).isEqualTo(facts.events() + 1);
      assertThat(after.lastEventAt()).isEqualTo(LATER);
      EventMeta earlier = new EventMeta("ev-9", CoreFixtures.START, "somebody");
      assertThat(reduce(after, new HeldCallEvent.ChildSettled(earlier, "hc_child", "")))
          .satisfies(late -> assertThat(late.lastEventAt()).isEqualTo(LATER))
          .satisfies(late -> assertThat(late.events()).isEqualTo(9));
    }

    @Test
    void withAForeignIdIsTotalToo() {
      EventMeta foreign = new EventMeta("zz", LATER, "somebody");
      assertThat(
              HeldCallReducer.reduce(
                      HeldCallFacts.NONE, new HeldCallEvent.CallCancelled(foreign, "x", null))
                  .events())
          .isZero();
    }
  }

  @Nested
  class CallProposed {

    @Test
    void setsSpecGenerationAndPendingDependencies() {
      LiveCall call = LiveCall.under(HUMAN);
      call.run(
          LiveCall.propose(
              LiveCall.proposal("transfer", json("{}"), List.of("hc_a"), Preferences.NONE)));
      HeldCallEvent proposed = call.journal().getFirst();
      HeldCallFacts facts = reduce(HeldCallFacts.NONE, proposed);
      assertThat(facts.proposed()).isTrue();
      assertThat(facts.requireGeneration().number()).isEqualTo(1);
      assertThat(facts.dependencies()).containsEntry("hc_a", DependencyState.PENDING);
      assertThat(facts.ruling()).isNull();
    }

    @Test
    void aSecondOneChangesNothingThatCounts() {
      HeldCallFacts facts = held();
      LiveCall other = LiveCall.proposed(HUMAN, "blind");
      HeldCallEvent.CallProposed second =
          new HeldCallEvent.CallProposed(
              next(facts), other.facts().requireSpec(), other.facts().requireGeneration());
      assertThat(reduce(facts, second).requireGeneration()).isEqualTo(facts.requireGeneration());
    }
  }

  @Nested
  class CallRuled {

    @Test
    void theSameContractAgainKeepsEvidenceAndNeverExtends() {
      HeldCallFacts facts = witnessed();
      Instant later = Objects.requireNonNull(facts.expiresAt()).plusSeconds(60);
      HeldCallFacts after = reduce(facts, ruled(facts, ownRuling(facts), 2, later, true));
      assertThat(after.expiresAt()).isEqualTo(facts.expiresAt());
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.VALID);
      assertThat(ownRuling(after).epoch()).isEqualTo(2);
      assertThat(after.holdStarted()).isEqualTo(facts.holdStarted());
    }

    @Test
    void aShorterTimeCounts() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts after = reduce(facts, ruled(facts, ownRuling(facts), 2, LATER, true));
      assertThat(after.expiresAt()).isEqualTo(LATER);
    }

    @Test
    void anotherContractMakesEvidenceStaleAndClosesFallbacks() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts open = reduce(facts, new HeldCallEvent.FallbackOpened(next(facts), 1, 0));
      HeldCallFacts after = reduce(open, ruled(open, otherRuling(), 2, null, true));
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.STALE);
      assertThat(after.superseded()).isTrue();
      assertThat(after.openFallbacks()).isEmpty();
    }

    @Test
    void theSameContractForAnotherToolMakesEvidenceStale() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts after = reduce(facts, ruled(facts, ownRuling(facts), 2, null, false));
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.STALE);
    }

    @Test
    void anOlderGenerationsRulingChangesNothing() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      HeldCallEvent first = call.journal().get(1);
      call.edit("{'amount': 1}");
      HeldCallFacts facts = call.facts();
      assertThat(HeldCallReducer.reduce(facts, first)).isEqualTo(facts);
    }

    @Test
    void anOlderRulingToldAgainDoesNotComeBack() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      HeldCallEvent first = call.journal().get(1);
      call.adopt(demand("human & ci")).tick();
      call.approve(ALICE);
      HeldCallFacts facts = call.facts();
      assertThat(HeldCallReducer.reduce(facts, first)).isEqualTo(facts);
    }
  }

  @Nested
  class AttestationAccepted {

    @Test
    void countsForItsGeneration() {
      assertThat(evidence(witnessed(), "a-1").state()).isEqualTo(EvidenceState.VALID);
    }

    @Test
    void ofAnOlderGenerationIsStaleOnArrival() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      Attestation old = call.attestation("a-1", ALICE, APPROVE);
      call.edit("{'amount': 1}");
      HeldCallFacts facts = call.facts();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.AttestationAccepted(next(facts), old, ALICE.ref(), null, null));
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.STALE);
    }

    @Test
    void anotherUnderItsIdChangesNothing() {
      HeldCallFacts facts = witnessed();
      Attestation same = evidence(facts, "a-1").attestation();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.AttestationAccepted(next(facts), same, BOB.ref(), null, null));
      assertThat(evidence(after, "a-1").witness()).isEqualTo(ALICE.ref());
    }
  }

  @Nested
  class AttestationRefused {

    @Test
    void countsAndDoesNothingElse() {
      HeldCallFacts facts = held();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.AttestationRefused(
                  next(facts), 1, "a-9", ALICE.ref(), "stale", "too late"));
      assertThat(after.refusals()).isEqualTo(1);
      assertThat(after.evidence()).isEmpty();
    }
  }

  @Nested
  class AttestationRevoked {

    @Test
    void takesEvidenceBackForGood() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.AttestationRevoked(next(facts), "a-1", ALICE.ref(), "a mistake"));
      assertThat(evidence(after, "a-1"))
          .satisfies(it -> assertThat(it.state()).isEqualTo(EvidenceState.REVOKED))
          .satisfies(it -> assertThat(it.note()).isEqualTo("a mistake"));
      HeldCallFacts expired =
          reduce(after, new HeldCallEvent.AttestationExpired(next(after), "a-1"));
      assertThat(evidence(expired, "a-1").state()).isEqualTo(EvidenceState.REVOKED);
    }

    @Test
    void ofWhatIsNotThereChangesNothing() {
      HeldCallFacts facts = held();
      assertThat(
              reduce(
                      facts,
                      new HeldCallEvent.AttestationRevoked(next(facts), "a-9", ALICE.ref(), null))
                  .evidence())
          .isEmpty();
    }
  }

  @Nested
  class RevocationCameLate {

    @Test
    void isOnRecordAndInert() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.RevocationCameLate(next(facts), "a-1", ALICE.ref(), "too late"));
      assertThat(after.evidence()).isEqualTo(facts.evidence());
      assertThat(after.events()).isEqualTo(facts.events() + 1);
    }
  }

  @Nested
  class AttestationKeyRevoked {

    @Test
    void takesTheEvidenceOutAndNothingPutsItBack() {
      HeldCallFacts facts = LiveCalls.evidence().facts();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.AttestationKeyRevoked(next(facts), "a-1", "k-1"));
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.REVOKED);
      assertThat(evidence(after, "a-1").note()).isEqualTo("its key was revoked: k-1");
      HeldCallFacts expired =
          reduce(after, new HeldCallEvent.AttestationExpired(next(after), "a-1"));
      assertThat(evidence(expired, "a-1").state()).isEqualTo(EvidenceState.REVOKED);
    }

    @Test
    void changesNothingThatHasLostItsWorth() {
      HeldCallFacts facts = LiveCalls.evidence().facts();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.AttestationKeyRevoked(next(facts), "a-2", "k-1"));
      assertThat(evidence(after, "a-2").note()).isEqualTo(evidence(facts, "a-2").note());
    }
  }

  @Nested
  class AttestationExpired {

    @Test
    void endsTheWorthOfValidEvidenceOnly() {
      HeldCallFacts facts = witnessed();
      HeldCallFacts after = reduce(facts, new HeldCallEvent.AttestationExpired(next(facts), "a-1"));
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.EXPIRED);
      HeldCallFacts revoked =
          reduce(
              after, new HeldCallEvent.AttestationRevoked(next(after), "a-1", ALICE.ref(), null));
      assertThat(evidence(revoked, "a-1").note()).isEqualTo("revoked by alice");
    }
  }

  @Nested
  class FallbackOpened {

    @Test
    void opensItsFallbackOfTheCurrentGenerationOnly() {
      HeldCallFacts facts = held();
      assertThat(reduce(facts, new HeldCallEvent.FallbackOpened(next(facts), 1, 0)).openFallbacks())
          .containsExactly(0);
      assertThat(reduce(facts, new HeldCallEvent.FallbackOpened(next(facts), 2, 0)).openFallbacks())
          .isEmpty();
    }

    @Test
    void toldAgainAfterAnotherContractDoesNotOpenThatOnesFallback() {
      LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
      HeldCallEvent opened = call.advance(Duration.ofMinutes(1)).tick().events().getFirst();
      call.adopt(demand("fallback(ci, 5m, human)")).tick();
      HeldCallFacts facts = call.facts();
      assertThat(facts.openFallbacks()).isEmpty();
      assertThat(HeldCallReducer.reduce(facts, opened)).isEqualTo(facts);
    }
  }

  @Nested
  class CallEdited {

    @Test
    void startsACleanSlate() {
      LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
      call.attest(ALICE, call.attestation("a-1", ALICE, APPROVE));
      HeldCallFacts before = call.facts();
      HeldCallEvent edited = call.edit("{'amount': 1}").events().getFirst();
      HeldCallFacts after = reduce(before, edited);
      assertThat(after.requireGeneration().number()).isEqualTo(2);
      assertThat(after.requireGeneration().editor()).isEqualTo(AGENT.ref());
      assertThat(after.ruling()).isNull();
      assertThat(after.holdStarted()).isNull();
      assertThat(evidence(after, "a-1").state()).isEqualTo(EvidenceState.STALE);
      assertThat(after.expiresAt()).isEqualTo(before.expiresAt());
    }

    @Test
    void anOlderGenerationChangesNothing() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      HeldCallEvent second = call.edit("{'amount': 1}").events().getFirst();
      call.edit("{'amount': 2}");
      HeldCallFacts facts = call.facts();
      assertThat(HeldCallReducer.reduce(facts, second)).isEqualTo(facts);
    }
  }

  @Nested
  class Ends {

    @Test
    void theFirstOneStands() {
      HeldCallFacts facts = held();
      HeldCallFacts cancelled =
          reduce(facts, new HeldCallEvent.CallCancelled(next(facts), "agent-1", "no"));
      assertThat(cancelled.lifecycle()).isEqualTo(Lifecycle.CANCELLED);
      assertThat(cancelled.end()).isEqualTo(new CallEnd("agent-1", "no", LATER));
      HeldCallFacts after =
          reduce(cancelled, new HeldCallEvent.CallDenied(next(cancelled), "policy", "late"));
      assertThat(after.lifecycle()).isEqualTo(Lifecycle.CANCELLED);
      assertThat(after.end()).isEqualTo(cancelled.end());
    }
  }

  @Nested
  class CallCancelled {

    @Test
    void ends() {
      HeldCallFacts facts = held();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.CallCancelled(next(facts), "agent-1", null));
      assertThat(after.lifecycle()).isEqualTo(Lifecycle.CANCELLED);
      assertThat(after.concluded()).isTrue();
    }
  }

  @Nested
  class CancelRequested {

    @Test
    void isTheFirstWish() {
      HeldCallFacts facts = leased();
      HeldCallFacts wished =
          reduce(facts, new HeldCallEvent.CancelRequested(next(facts), "agent-1", "stop"));
      HeldCallFacts again =
          reduce(wished, new HeldCallEvent.CancelRequested(next(wished), "operator", null));
      assertThat(again.cancelWish()).isEqualTo(new CallEnd("agent-1", "stop", LATER));
      assertThat(again.lifecycle()).isEqualTo(Lifecycle.OPEN);
    }
  }

  @Nested
  class CallExpired {

    @Test
    void ends() {
      HeldCallFacts facts = held();
      HeldCallFacts after = reduce(facts, new HeldCallEvent.CallExpired(next(facts)));
      assertThat(after.lifecycle()).isEqualTo(Lifecycle.EXPIRED);
      assertThat(after.end()).isEqualTo(new CallEnd("clock", "the call's time ran out", LATER));
    }
  }

  @Nested
  class CallDenied {

    @Test
    void ends() {
      HeldCallFacts facts = held();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.CallDenied(next(facts), "alice", "not this one"));
      assertThat(after.lifecycle()).isEqualTo(Lifecycle.DENIED);
      assertThat(after.end()).isEqualTo(new CallEnd("alice", "not this one", LATER));
    }
  }

  @Nested
  class LeaseGranted {

    @Test
    void isUnderWay() {
      HeldCallFacts facts = leased();
      assertThat(leaseState(facts)).isEqualTo(LeaseState.DISPATCHED);
      assertThat(facts.execution()).isEqualTo(Execution.LEASED);
      assertThat(facts.attempts()).isEqualTo(1);
      HeldCallFacts again =
          reduce(facts, new HeldCallEvent.LeaseGranted(next(facts), lease(facts)));
      assertThat(again.leases()).isEqualTo(facts.leases());
    }
  }

  @Nested
  class LeaseEndedWithoutEffect {

    @Test
    void opensTheCallAgain() {
      HeldCallFacts facts = leased();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.LeaseEndedWithoutEffect(
                  next(facts), lease(facts).leaseId(), "refused"));
      assertThat(after.execution()).isEqualTo(Execution.NONE);
      assertThat(after.undecided()).isTrue();
    }

    @Test
    void neverUndoesAnEffect() {
      HeldCallFacts facts = recorded();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.LeaseEndedWithoutEffect(
                  next(facts), lease(facts).leaseId(), "late"));
      assertThat(leaseState(after)).isEqualTo(LeaseState.EFFECT);
      assertThat(after.execution()).isEqualTo(Execution.EFFECT_RECORDED);
    }

    @Test
    void underALostLeaseChangesNothing() {
      HeldCallFacts facts = leased();
      assertThat(
              reduce(facts, new HeldCallEvent.LeaseEndedWithoutEffect(next(facts), "ls_other", "x"))
                  .leases())
          .isEqualTo(facts.leases());
    }
  }

  @Nested
  class OutcomeBecameUnknown {

    @Test
    void isAState() {
      HeldCallFacts facts = leased();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.OutcomeBecameUnknown(
                  next(facts), lease(facts).leaseId(), "timed out"));
      assertThat(after.execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
      assertThat(after.dispatched()).isTrue();
    }

    @Test
    void neverUndoesWhatIsKnown() {
      HeldCallFacts facts = recorded();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.OutcomeBecameUnknown(next(facts), lease(facts).leaseId(), "late"));
      assertThat(leaseState(after)).isEqualTo(LeaseState.EFFECT);
    }
  }

  @Nested
  class OutcomeRecorded {

    @Test
    void isWithoutContentUntilAdmitted() {
      HeldCallFacts facts = recorded();
      assertThat(Objects.requireNonNull(facts.outcome()).content()).isNull();
      assertThat(facts.admission()).isEqualTo(Admission.PENDING);
      assertThat(facts.concluded()).isFalse();
      assertThat(OutcomeJson.result(facts)).isNull();
    }

    @Test
    void theFirstOneStands() {
      HeldCallFacts facts = recorded();
      HeldCallEvent second =
          new HeldCallEvent.OutcomeRecorded(
              next(facts),
              lease(facts).leaseId(),
              false,
              CoreFixtures.PLUGINS,
              1,
              false,
              OutcomeSource.RESOLUTION,
              "");
      assertThat(reduce(facts, second).outcome()).isEqualTo(facts.outcome());
    }
  }

  @Nested
  class ResultAdmitted {

    @Test
    void showsTheContentOnce() {
      HeldCallFacts facts = recorded();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.ResultAdmitted(next(facts), json("{'id': 7}")));
      assertThat(String.valueOf(OutcomeJson.result(after))).contains("\"content\":{\"id\":7}");
      HeldCallFacts again =
          reduce(after, new HeldCallEvent.ResultAdmitted(next(after), json("{'id': 8}")));
      assertThat(again.outcome()).isEqualTo(after.outcome());
    }

    @Test
    void withoutAnOutcomeChangesNothing() {
      HeldCallFacts facts = leased();
      assertThat(
              reduce(facts, new HeldCallEvent.ResultAdmitted(next(facts), json("1"))).admission())
          .isEqualTo(Admission.PENDING);
    }
  }

  @Nested
  class ResultQuarantined {

    @Test
    void keepsNoContentAmongTheFacts() {
      HeldCallFacts facts = recorded();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.ResultQuarantined(
                  next(facts), json("{'secret': 'hunter2'}"), List.of("schema: broken at ''")));
      assertThat(after.admission()).isEqualTo(Admission.QUARANTINED);
      assertThat(after.toString()).doesNotContain("hunter2");
      assertThat(String.valueOf(OutcomeJson.result(after)))
          .contains("schema: broken")
          .doesNotContain("content\":");
      HeldCallFacts admitted =
          reduce(after, new HeldCallEvent.ResultAdmitted(next(after), json("1")));
      assertThat(admitted.admission()).isEqualTo(Admission.QUARANTINED);
    }
  }

  @Nested
  class LateEffectReported {

    @Test
    void leavesTheCallUnknown() {
      LiveCall call = LiveCall.proposed(ALLOW, "transfer");
      call.noEffect();
      HeldCallFacts facts = call.facts();
      HeldCallFacts after =
          reduce(
              facts,
              new HeldCallEvent.LateEffectReported(next(facts), lease(facts).leaseId(), "200"));
      assertThat(after.lateEffect()).isTrue();
      assertThat(after.execution()).isEqualTo(Execution.OUTCOME_UNKNOWN);
    }
  }

  @Nested
  class OutcomeResolved {

    @Test
    void theFirstOneStands() {
      HeldCallFacts facts = leased();
      Resolution first =
          new Resolution(CoreFixtures.OPERATOR.ref(), true, OTHER_DIGEST, json("{}"), LATER);
      Resolution second =
          new Resolution(CoreFixtures.OPERATOR.ref(), false, null, json("{}"), LATER);
      HeldCallFacts once = reduce(facts, new HeldCallEvent.OutcomeResolved(next(facts), first));
      HeldCallFacts twice = reduce(once, new HeldCallEvent.OutcomeResolved(next(once), second));
      assertThat(twice.resolution()).isEqualTo(first);
    }
  }

  @Nested
  class DeliveryAcknowledged {

    @Test
    void isKept() {
      HeldCallFacts facts = recorded();
      assertThat(
              reduce(facts, new HeldCallEvent.DeliveryAcknowledged(next(facts), "hc.1")).delivery())
          .isEqualTo(Delivery.ACKNOWLEDGED);
    }
  }

  @Nested
  class DependencySettled {

    @Test
    void theFirstReportStands() {
      LiveCall call = LiveCall.under(HUMAN);
      call.run(
          LiveCall.propose(
              LiveCall.proposal("transfer", json("{}"), List.of("hc_a"), Preferences.NONE)));
      HeldCallFacts facts = call.facts();
      HeldCallFacts done =
          reduce(
              facts,
              new HeldCallEvent.DependencySettled(
                  next(facts), "hc_a", DependencyState.SATISFIED, ""));
      assertThat(done.dependenciesDone()).isTrue();
      HeldCallFacts again =
          reduce(
              done,
              new HeldCallEvent.DependencySettled(next(done), "hc_a", DependencyState.REFUSED, ""));
      assertThat(again.dependencies()).isEqualTo(done.dependencies());
      HeldCallFacts other =
          reduce(
              done,
              new HeldCallEvent.DependencySettled(next(done), "hc_b", DependencyState.REFUSED, ""));
      assertThat(other.dependencies()).isEqualTo(done.dependencies());
    }
  }

  @Nested
  class UpstreamSeen {

    private final Upstream asWitnessed = new Upstream(CoreFixtures.OTHER_DIGEST, null);

    private HeldCallFacts witnessed() {
      LiveCall call = LiveCall.under(HUMAN);
      call.run(
          LiveCall.propose(
              LiveCall.proposal("transfer", json("{}"), List.of("hc_a"), Preferences.NONE)));
      HeldCallFacts seen =
          reduce(
              call.facts(),
              new HeldCallEvent.UpstreamSeen(next(call.facts()), "hc_a", asWitnessed));
      call.run(
          new HeldCallCommand.Attest(
              CoreFixtures.ALICE, call.attestation("a-1", CoreFixtures.ALICE, APPROVE)));
      return HeldCallReducer.reduceAll(
          seen,
          List.of(
              new HeldCallEvent.AttestationAccepted(
                  next(seen),
                  Objects.requireNonNull(call.facts().evidence().get("a-1")).attestation(),
                  CoreFixtures.ALICE.ref(),
                  null,
                  null)));
    }

    private EvidenceState worth(HeldCallFacts facts) {
      return Objects.requireNonNull(facts.evidence().get("a-1")).state();
    }

    @Test
    void theResultThatWasAwaitedLeavesTheEvidence() {
      HeldCallFacts facts = witnessed();
      Upstream done = new Upstream(asWitnessed.callDigest(), asWitnessed.callDigest());
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.UpstreamSeen(next(facts), "hc_a", done));
      assertThat(worth(after)).isEqualTo(EvidenceState.VALID);
      assertThat(after.superseded()).isFalse();
      assertThat(after.upstream()).containsEntry("hc_a", done);
    }

    @Test
    void anotherContentMakesTheEvidenceStale() {
      HeldCallFacts facts = witnessed();
      Upstream other = new Upstream(facts.requireGeneration().callDigest(), null);
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.UpstreamSeen(next(facts), "hc_a", other));
      assertThat(worth(after)).isEqualTo(EvidenceState.STALE);
      assertThat(after.superseded()).isTrue();
    }

    @Test
    void anotherResultMakesTheEvidenceStale() {
      HeldCallFacts facts = witnessed();
      Upstream done = new Upstream(asWitnessed.callDigest(), asWitnessed.callDigest());
      HeldCallFacts first =
          reduce(facts, new HeldCallEvent.UpstreamSeen(next(facts), "hc_a", done));
      Upstream other =
          new Upstream(asWitnessed.callDigest(), facts.requireGeneration().callDigest());
      HeldCallFacts after =
          reduce(first, new HeldCallEvent.UpstreamSeen(next(first), "hc_a", other));
      assertThat(worth(after)).isEqualTo(EvidenceState.STALE);
    }

    @Test
    void toldAgainItChangesNothing() {
      HeldCallFacts facts = witnessed();
      HeldCallEvent event =
          new HeldCallEvent.UpstreamSeen(
              next(facts), "hc_a", new Upstream(facts.requireGeneration().callDigest(), null));
      HeldCallFacts once = reduce(facts, event);
      assertThat(reduce(once, event)).isEqualTo(once);
    }
  }

  @Nested
  class ChildAnnounced {

    @Test
    void isWaitedFor() {
      HeldCallFacts facts = held();
      HeldCallFacts after =
          reduce(facts, new HeldCallEvent.ChildAnnounced(next(facts), "hc_child"));
      assertThat(after.dependenciesDone()).isFalse();
      assertThat(after.children()).containsEntry("hc_child", LATER);
    }
  }

  @Nested
  class ChildSettled {

    @Test
    void isWaitedForNoMoreInEitherOrder() {
      HeldCallFacts facts = held();
      EventMeta one = next(facts);
      EventMeta two = new EventMeta(EventIds.of(facts.events() + 2), LATER, "kernel");
      HeldCallEvent announced = new HeldCallEvent.ChildAnnounced(one, "hc_child");
      HeldCallEvent settled = new HeldCallEvent.ChildSettled(two, "hc_child", "done");
      HeldCallFacts inOrder = reduce(reduce(facts, announced), settled);
      HeldCallFacts outOfOrder = reduce(reduce(facts, settled), announced);
      assertThat(inOrder.dependenciesDone()).isTrue();
      assertThat(outOfOrder).isEqualTo(inOrder);
    }
  }

  @Nested
  class Coverage {

    @Test
    void everyEventHasItsOwnClassHere() {
      List<String> nested =
          List.of(HeldCallReducerTest.class.getDeclaredClasses()).stream()
              .map(Class::getSimpleName)
              .toList();
      assertThat(nested)
          .containsAll(
              List.of(HeldCallEvent.class.getPermittedSubclasses()).stream()
                  .map(Class::getSimpleName)
                  .toList());
    }
  }
}
