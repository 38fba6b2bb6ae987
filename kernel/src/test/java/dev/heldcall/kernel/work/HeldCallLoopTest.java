package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.DENY;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One turn: the command and all that follows from it, in one write. */
class HeldCallLoopTest {

  private static PolicyInForce stale(LiveCall call) {
    PolicyInForce policy = Objects.requireNonNull(call.context().policy());
    return new PolicyInForce(
        policy.layers(),
        policy.epoch(),
        false,
        true,
        ref -> new TreeSet<>(),
        policy.roster(),
        KeyStandings.ALL_STAND);
  }

  @Test
  void theLastApprovalAndItsLeaseAreOneWrite() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    assertThat(LiveCall.kinds(call.approve(ALICE).events())).containsExactly("AttestationAccepted");
    LoopResult last = call.approve(BOB);
    assertThat(LiveCall.kinds(last.events()))
        .containsExactly("AttestationAccepted", "LeaseGranted");
    assertThat(last.plan().text()).startsWith("dispatch:");
  }

  @Test
  void evidenceOfARevokedKeyIsTakenOutBeforeAnythingRestsOnIt() {
    LiveCall call = LiveCall.proposed(demand("quorum(2, human)"), "transfer");
    call.attestSigned(ALICE, APPROVE, "k-1");
    assertThat(call.evidence("a-1").signedBy()).isEqualTo(new SignatureKey("k-1", "thumb"));
    call.key("k-1", KeyStanding.REVOKED);
    assertThat(LiveCall.kinds(call.approve(BOB).events()))
        .containsExactly("AttestationAccepted", "AttestationKeyRevoked");
    assertThat(call.evidence("a-1").state()).isEqualTo(EvidenceState.REVOKED);
    assertThat(call.evidence("a-1").note()).isEqualTo("its key was revoked: k-1");
    assertThat(call.dispatches()).isZero();
    assertThat(LiveCall.kinds(call.attestSigned(ALICE, APPROVE, "k-2").events()))
        .as("rotated: the new key is as good")
        .containsExactly("AttestationAccepted", "LeaseGranted");
  }

  @Test
  void aClientGetsNoLeaseOnEvidenceOfARevokedKey() {
    LiveCall call = LiveCall.proposed(HUMAN, CoreFixtures.DESK);
    call.attestSigned(ALICE, APPROVE, "k-1");
    call.key("k-1", KeyStanding.REVOKED);
    LoopResult taken = call.take(CoreFixtures.AGENT, null);
    assertThat(LiveCall.said(taken.answer())).isEqualTo("not-ready");
    assertThat(LiveCall.kinds(taken.events())).containsExactly("AttestationKeyRevoked");
  }

  @Test
  void noLeaseRestsOnAKeyOfWhichNothingIsKnown() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.key("k-1", KeyStanding.UNKNOWN);
    assertThat(LiveCall.kinds(call.attestSigned(ALICE, APPROVE, "k-1").events()))
        .containsExactly("AttestationAccepted");
    assertThat(call.evidence("a-1").state()).isEqualTo(EvidenceState.VALID);
    call.key("k-1", KeyStanding.STANDS);
    assertThat(LiveCall.kinds(call.tick().events())).containsExactly("LeaseGranted");
  }

  @Test
  void aRevokedKeyTakesNothingBackThatWasDispatched() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.attestSigned(ALICE, APPROVE, "k-1");
    call.key("k-1", KeyStanding.REVOKED);
    assertThat(call.tick().events()).isEmpty();
    assertThat(call.evidence("a-1").state()).isEqualTo(EvidenceState.VALID);
  }

  @Test
  void theDenyOfAnUnknownKeyStillCounts() {
    LiveCall call = LiveCall.proposed(demand("human", "{'veto': ['compliance']}"), "transfer");
    call.key("k-1", KeyStanding.UNKNOWN);
    call.attestSigned(CoreFixtures.COMPLIANCE, AttestationDecision.DENY, "k-1");
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
  }

  @Test
  void theDenyAndTheRefusalAreOneWrite() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    assertThat(LiveCall.kinds(call.deny(ALICE).events()))
        .containsExactly("AttestationAccepted", "CallDenied");
    assertThat(call.end().by()).isEqualTo("alice");
    assertThat(call.end().reason()).isEqualTo("because");
  }

  @Test
  void withoutAFreshPolicyTheEvidenceIsKeptAndOneIsAskedFor() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    PolicyInForce fresh = Objects.requireNonNull(call.context().policy());
    call.policy(stale(call));
    LoopResult attested = call.approve(ALICE);
    assertThat(LiveCall.kinds(attested.events())).containsExactly("AttestationAccepted");
    assertThat(attested.wantsFreshPolicy()).isTrue();
    call.policy(fresh);
    LoopResult ticked = call.tick();
    assertThat(LiveCall.kinds(ticked.events())).containsExactly("LeaseGranted");
    assertThat(ticked.wantsFreshPolicy()).isFalse();
  }

  @Test
  void withNoPolicyAtAllNothingIsLeased() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer").policy(null);
    LoopResult attested = call.approve(ALICE);
    assertThat(LiveCall.kinds(attested.events())).containsExactly("AttestationAccepted");
    assertThat(attested.wantsFreshPolicy()).isTrue();
    assertThat(call.status().explain().getFirst()).contains("policy could not be read");
  }

  @Test
  void aProposalWithoutPolicyLeavesNoTrace() {
    LiveCall call = LiveCall.under(HUMAN).policy(null);
    LoopResult result = call.run(LiveCall.propose(LiveCall.proposal("transfer")));
    assertThat(result.events()).isEmpty();
    assertThat(result.facts()).isEqualTo(HeldCallFacts.NONE);
    assertThat(result.wantsFreshPolicy()).isTrue();
  }

  @Test
  void fallbackExpiryAndRefusalAreTakenInOneTurn() {
    LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, human)"), "transfer");
    call.approve(ALICE);
    call.advance(Duration.ofMinutes(1));
    assertThat(LiveCall.kinds(call.tick().events()))
        .containsExactly("FallbackOpened", "LeaseGranted");
  }

  @Test
  void aStricterPolicyIsWrittenDownBeforeAnythingElse() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer").adopt(demand("human & ci"));
    LoopResult attested = call.approve(ALICE);
    assertThat(LiveCall.kinds(attested.events()))
        .containsExactly("AttestationAccepted", "CallRuled");
    assertThat(attested.plan().text()).contains("ask-witness:1:ci");
  }

  @Test
  void aPolicyThatNowDeniesEndsTheCall() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer").adopt(DENY);
    assertThat(LiveCall.kinds(call.approve(ALICE).events()))
        .containsExactly("AttestationAccepted", "CallRuled", "CallDenied");
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
    assertThat(call.dispatches()).isZero();
  }

  @Test
  void severalThatFallDueAtOnceAreOneWrite() {
    LiveCall call = LiveCall.proposed(demand("quorum(3, human)", "{'expires_s': 86400}"), "blind");
    call.attest(ALICE, call.attestation("a-1", ALICE, APPROVE));
    call.attest(BOB, call.attestation("a-2", BOB, APPROVE));
    call.advance(Duration.ofHours(2));
    assertThat(LiveCall.kinds(call.tick().events()))
        .containsExactly("AttestationExpired", "AttestationExpired");
  }

  @Test
  void itsFixedPointIsOne() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    assertThat(call.tick().events()).isEmpty();
    call.restart();
    assertThat(LiveCall.kinds(call.tick().events())).containsExactly("OutcomeBecameUnknown");
    assertThat(call.tick().events()).isEmpty();
  }

  @Test
  void asMuchEvidenceAsIsKeptFitsInOneTurn() {
    LiveCall call = LiveCall.proposed(demand("quorum(9, human)", "{'expires_s': 86400}"), "blind");
    for (int i = 0; i < 300; i++) {
      call.approve(i % 2 == 0 ? ALICE : BOB);
    }
    int kept = call.facts().evidence().size();
    assertThat(kept).as("a hundred of each").isEqualTo(200);
    call.advance(Duration.ofHours(2));
    LoopResult all = call.tick();
    assertThat(all.overBound()).isFalse();
    assertThat(all.events()).hasSize(kept);
    assertThat(HeldCallLoop.BOUND).as("two hundred, and thirty-two to spare").isGreaterThan(232);
  }

  @Test
  void theAnswerIsTheCommandsOwn() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Attestation given = call.attestation("a-1", ALICE, AttestationDecision.APPROVE);
    List<String> answers =
        List.of(
            LiveCall.said(call.attest(ALICE, given).answer()),
            LiveCall.said(call.attest(ALICE, given).answer()),
            LiveCall.said(call.cancel().answer()));
    assertThat(answers).containsExactly("accepted", "duplicate", "effect-dispatched");
    assertThat(call.facts().requireSpec().proposer()).isEqualTo(CoreFixtures.AGENT);
  }

  @Test
  void aPolicyReadThatComesInAfterANewerOneRulesNothing() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    PolicyInForce older = Objects.requireNonNull(call.context().policy());
    call.adopt(demand("human & ci")).tick();
    call.policy(older);
    assertThat(call.tick().events()).as("nothing is ruled again").isEmpty();
    assertThat(LiveCall.said(call.edit("{'amount': 2}").answer())).isEqualTo("fresh policy needed");
    assertThat(LiveCall.kinds(call.approve(ALICE).events())).containsExactly("AttestationAccepted");
    LoopResult last = call.approve(CI);
    assertThat(LiveCall.kinds(last.events())).as("no lease").containsExactly("AttestationAccepted");
    assertThat(last.wantsFreshPolicy()).isTrue();
  }

  @Test
  void aResolutionThatComesTooEarlyDoesNotWaitForPolicyUntilItIsLateEnough() {
    LiveCall call = LiveCall.proposed(ALLOW, CoreFixtures.CHARGE);
    call.unknown();
    call.advance(Duration.ofSeconds(3)).policy(stale(call));
    assertThat(call.tick().wantsFreshPolicy()).as("it could be dispatched again").isTrue();
    LoopResult resolved = call.resolve(false);
    assertThat(LiveCall.said(resolved.answer())).isEqualTo("too-early");
    assertThat(resolved.wantsFreshPolicy()).isFalse();
  }

  @Test
  void anUnknownOutcomeNamesOnlyWhatMayStillMoveIt() {
    LiveCall repeatable = LiveCall.proposed(ALLOW, CoreFixtures.POST);
    repeatable.unknown();
    assertThat(repeatable.status().explain())
        .contains("waiting for: the tool's read-back", "an operator can resolve it")
        .anyMatch(each -> each.startsWith("the same dispatch is sent again"));
    repeatable.cancel();
    assertThat(repeatable.status().explain())
        .as("a wish to cancel forbids a further lease")
        .noneMatch(each -> each.startsWith("the same dispatch"));

    LiveCall late = LiveCall.proposed(ALLOW, CoreFixtures.POST);
    late.noEffect();
    late.answered("{'id': 7}");
    assertThat(late.status().explain())
        .as("nothing is read back after a late effect")
        .contains("an operator can resolve it")
        .noneMatch(each -> each.startsWith("waiting for"));

    LiveCall client = LiveCall.proposed(ALLOW, CoreFixtures.DESK_AGAIN);
    client.take(CoreFixtures.WORKER, "key-1");
    client.advance(Duration.ofMinutes(5)).tick();
    assertThat(client.status().explain())
        .contains("waiting for: the report of the worker that had the lease")
        .anyMatch(each -> each.startsWith("a worker can take the lease again"));
  }
}
