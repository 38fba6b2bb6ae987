package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CAROL;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.COMPLIANCE;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.policy.PolicyLayers;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Facts that commute give one state in any order. */
class CommutingFactsTest {

  private static final PolicyLayers ALL =
      demand("quorum(3, human) & ci & compliance", "{'on_refuted': 'hold'}");

  private static LiveCall call() {
    LiveCall call = LiveCall.under(ALL);
    call.run(
        LiveCall.propose(
            LiveCall.proposal(
                CoreFixtures.TRANSFER,
                json("{'amount': 1}"),
                List.of("hc_a", "hc_b"),
                Preferences.NONE)));
    call.run(new HeldCallCommand.AnnounceChild("hc_c"));
    return call;
  }

  private static List<HeldCallCommand> reports(LiveCall call) {
    return List.of(
        new HeldCallCommand.Attest(ALICE, call.attestation("a-1", ALICE, APPROVE)),
        new HeldCallCommand.Attest(BOB, call.attestation("a-2", BOB, APPROVE)),
        new HeldCallCommand.Attest(CAROL, call.attestation("a-3", CAROL, APPROVE)),
        new HeldCallCommand.Attest(CI, call.attestation("a-4", CI, APPROVE)),
        new HeldCallCommand.Attest(COMPLIANCE, call.attestation("a-5", COMPLIANCE, APPROVE)),
        dependency("hc_a", false),
        dependency("hc_b", false),
        dependency("hc_c", true));
  }

  private static HeldCallCommand dependency(String heldId, boolean child) {
    return new HeldCallCommand.ReportDependency(heldId, DependencyState.SATISFIED, child, "done");
  }

  @Property(tries = 300)
  void evidenceAndDependenciesInAnyOrderReleaseTheCallOnce(@ForAll("orders") List<Integer> order) {
    LiveCall straight = call();
    reports(straight).forEach(straight::run);
    LiveCall shuffled = call();
    List<HeldCallCommand> reports = reports(shuffled);
    order.forEach(index -> shuffled.run(reports.get(index)));
    assertThat(straight.facts().execution()).isEqualTo(Execution.LEASED);
    assertThat(shuffled.facts()).isEqualTo(straight.facts());
    assertThat(shuffled.dispatches()).isOne();
  }

  @Property(tries = 300)
  void doubledReportsChangeNothing(@ForAll("orders") List<Integer> order) {
    LiveCall once = call();
    List<HeldCallCommand> reports = reports(once);
    order.forEach(index -> once.run(reports.get(index)));
    LiveCall twice = call();
    for (int index : order) {
      twice.run(reports(twice).get(index));
      twice.run(reports(twice).get(index));
    }
    assertThat(twice.facts()).isEqualTo(once.facts());
  }

  @Property(tries = 300)
  void aDenyInTheMidstOfApprovalsIsFoldedInAnyOrder(@ForAll("orders") List<Integer> order) {
    LiveCall straight = call();
    LiveCall shuffled = call();
    for (LiveCall each : List.of(straight, shuffled)) {
      assertThat(each.facts().proposed()).isTrue();
    }
    withDeny(straight).forEach(straight::run);
    List<HeldCallCommand> reports = withDeny(shuffled);
    order.forEach(index -> shuffled.run(reports.get(index)));
    assertThat(shuffled.facts()).isEqualTo(straight.facts());
    assertThat(shuffled.dispatches()).isZero();
    assertThat(shuffled.status().readiness().wireName()).isEqualTo("refuted");
  }

  private static List<HeldCallCommand> withDeny(LiveCall call) {
    return List.of(
        new HeldCallCommand.Attest(ALICE, call.attestation("a-1", ALICE, APPROVE)),
        new HeldCallCommand.Attest(ALICE, call.attestation("a-2", ALICE, DENY)),
        new HeldCallCommand.Attest(BOB, call.attestation("a-3", BOB, APPROVE)),
        new HeldCallCommand.Attest(CAROL, call.attestation("a-4", CAROL, APPROVE)),
        new HeldCallCommand.Attest(CI, call.attestation("a-5", CI, APPROVE)),
        dependency("hc_b", false),
        dependency("hc_a", false),
        dependency("hc_c", true));
  }

  @Property(tries = 300)
  void theirEventsReduceToOneStateInAnyOrder(@ForAll("orders") List<Integer> order) {
    LiveCall call = call();
    HeldCallFacts before = call.facts();
    List<HeldCallCommand> reports = reports(call);
    List<HeldCallEvent> events =
        reports.stream().flatMap(each -> call.run(each).events().stream()).limit(8).toList();
    HeldCallFacts straight = HeldCallReducer.reduceAll(before, events);
    HeldCallFacts shuffled =
        HeldCallReducer.reduceAll(before, order.stream().map(events::get).toList());
    assertThat(shuffled).isEqualTo(straight);
  }

  @Provide
  Arbitrary<List<Integer>> orders() {
    return Arbitraries.shuffle(0, 1, 2, 3, 4, 5, 6, 7);
  }
}
