package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.AttestationDecision;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What calls mean for each other: upstream calls, and nested ones. */
class WaitingDeciderTest {

  private static final Upstream FIRST = new Upstream(CoreFixtures.OTHER_DIGEST, null);

  private static LiveCall dependent() {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal("transfer", json("{}"), List.of("hc_a"), Preferences.NONE)));
    return call;
  }

  private static HeldCallCommand report(DependencyState state, Upstream upstream) {
    return new HeldCallCommand.ReportDependency("hc_a", state, false, "as told", upstream);
  }

  private static void approve(LiveCall call, String id) {
    call.run(
        new HeldCallCommand.Attest(
            CoreFixtures.ALICE,
            call.attestation(id, CoreFixtures.ALICE, AttestationDecision.APPROVE)));
  }

  @Test
  void anEditedUpstreamSendsTheDependentBackToItsWitnesses() {
    LiveCall call = dependent();
    call.run(report(DependencyState.PENDING, FIRST));
    approve(call, "a-1");
    assertThat(EvidenceView.satisfied(call.facts(), call.now())).isTrue();

    Upstream edited = new Upstream(call.facts().requireGeneration().callDigest(), null);
    call.run(report(DependencyState.PENDING, edited));
    assertThat(EvidenceView.readiness(call.facts(), call.now())).isEqualTo(Readiness.STALE);

    call.run(report(DependencyState.SATISFIED, edited));
    assertThat(call.facts().leases()).as("no lease on evidence for another upstream").isEmpty();
    approve(call, "a-2");
    assertThat(call.facts().leases()).hasSize(1);
  }

  @Test
  void aChangeThatIsHeardOnlyWithTheResultStillCountsBeforeTheLease() {
    LiveCall call = dependent();
    call.run(report(DependencyState.PENDING, FIRST));
    approve(call, "a-1");
    Upstream other =
        new Upstream(call.facts().requireGeneration().callDigest(), CoreFixtures.OTHER_DIGEST);
    call.run(report(DependencyState.SATISFIED, other));
    assertThat(call.facts().leases()).isEmpty();
    assertThat(EvidenceView.readiness(call.facts(), call.now())).isEqualTo(Readiness.STALE);
  }

  @Test
  void theAwaitedResultIsNoChange() {
    LiveCall call = dependent();
    call.run(report(DependencyState.PENDING, FIRST));
    approve(call, "a-1");
    call.run(
        report(
            DependencyState.SATISFIED,
            new Upstream(FIRST.callDigest(), CoreFixtures.OTHER_DIGEST)));
    assertThat(call.facts().leases()).hasSize(1);
  }

  @Test
  void whatIsKnownAlreadyIsNotWrittenAgain() {
    LiveCall call = dependent();
    call.run(report(DependencyState.PENDING, FIRST));
    long events = call.facts().events();
    call.run(report(DependencyState.PENDING, FIRST));
    assertThat(call.facts().events()).isEqualTo(events);
  }

  @Test
  void aCallThatEndedTakesNoChild() {
    LiveCall call = dependent();
    call.run(new HeldCallCommand.CancelCall(CoreFixtures.AGENT, "never mind"));
    Answer answer = call.run(new HeldCallCommand.AnnounceChild("hc_child")).answer();
    assertThat(answer)
        .isInstanceOfSatisfying(
            Answer.Refused.class,
            refused ->
                assertThat(refused.rejection().problem()).isEqualTo(Problem.UNKNOWN_DEPENDENCY));
    assertThat(call.facts().children()).isEmpty();
  }

  @Test
  void theChildrenOfACallThatEndedAreToBeEndedUntilTheyHaveSettled() {
    LiveCall call = dependent();
    call.run(new HeldCallCommand.AnnounceChild("hc_child"));
    call.run(new HeldCallCommand.CancelCall(CoreFixtures.AGENT, "never mind"));
    assertThat(Enabling.childrenToEnd(call.facts())).containsExactly("hc_child");
    assertThat(Enabling.nextDue(call.facts())).isNotNull();

    call.run(
        new HeldCallCommand.ReportDependency(
            "hc_child", DependencyState.SATISFIED, true, "cancelled"));
    assertThat(Enabling.childrenToEnd(call.facts())).isEmpty();
    assertThat(Enabling.nextDue(call.facts())).isNull();
  }

  @Test
  void whatServesAnOlderGenerationIsEndedToo() {
    LiveCall call = dependent();
    call.run(new HeldCallCommand.AnnounceChild("hc_old"));
    call.advance(java.time.Duration.ofSeconds(1));
    call.run(new HeldCallCommand.EditCall(CoreFixtures.AGENT, 1, null, json("{'amount': 2}")));
    call.run(new HeldCallCommand.AnnounceChild("hc_new"));
    assertThat(call.facts().requireGeneration().number()).isEqualTo(2);
    assertThat(Enabling.childrenToEnd(call.facts())).containsExactly("hc_old");
  }

  @Test
  void onlyTheOwnParentEndsACall() {
    LiveCall call = dependent();
    call.run(new HeldCallCommand.EndWithParent("hc_stranger", "cancelled"));
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.OPEN);
  }
}
