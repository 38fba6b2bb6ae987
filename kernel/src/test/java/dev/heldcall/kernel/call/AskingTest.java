package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.COMPLIANCE;
import static dev.heldcall.kernel.call.CoreFixtures.STRANGER;
import static dev.heldcall.kernel.call.CoreFixtures.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Whom a request is handed to, and when it is worth looking again. */
class AskingTest {

  private static Asking asking(LiveCall call, Principal principal, String witnessClass) {
    return Asking.of(
        call.facts(),
        principal,
        witnessClass,
        call.facts().requireGeneration().number(),
        call.now());
  }

  private static boolean asked(LiveCall call, Principal principal, String witnessClass) {
    Asking asking = asking(call, principal, witnessClass);
    Instant again = asking.again();
    assertThat(again == null).isEqualTo(asking.asked());
    if (again != null) {
      assertThat(again).isAfter(call.now()).isBefore(call.now().plus(Duration.ofHours(2)));
    }
    return asking.asked();
  }

  private static LiveCall held(String rule) {
    return LiveCall.proposed(CoreFixtures.demand(rule), TRANSFER);
  }

  @Test
  void aWitnessOfAWantedClassIsAsked() {
    LiveCall call = held("human");
    assertThat(asked(call, ALICE, "human")).isTrue();
    assertThat(asked(call, CI, "ci")).isFalse();
    assertThat(asked(call, STRANGER, "human")).isFalse();
    assertThat(Asking.of(call.facts(), ALICE, "human", 2, call.now()).asked()).isFalse();
  }

  @Test
  void whoIsNotIndependentIsNotAsked() {
    LiveCall call = held("human");
    assertThat(asked(call, AGENT, "human")).isFalse();
    assertThat(asked(call, CoreFixtures.witness("d", "human", "agent-1", null), "human")).isFalse();
  }

  @Test
  void ofAQuorumWhoAttestedIsNotAskedAgainAndOthersAre() {
    LiveCall call = held("quorum(2, human)");
    var _ = call.approve(ALICE);
    assertThat(asked(call, ALICE, "human")).isFalse();
    assertThat(asked(call, BOB, "human")).isTrue();
    var _ =
        call.run(
            new HeldCallCommand.RevokeAttestation(
                ALICE, call.facts().evidence().firstEntry().getKey(), null));
    assertThat(asked(call, ALICE, "human")).isTrue();
  }

  @Test
  void aClassThatHasEnoughIsAskedForNoMoreButAVetoAlwaysIs() {
    LiveCall call =
        LiveCall.proposed(CoreFixtures.demand("human & ci", "{'veto': ['compliance']}"), TRANSFER);
    assertThat(asked(call, COMPLIANCE, "compliance")).isTrue();
    var _ = call.approve(ALICE);
    assertThat(asked(call, BOB, "human")).isFalse();
    assertThat(asked(call, CI, "ci")).isTrue();
    assertThat(asked(call, COMPLIANCE, "compliance")).isTrue();
  }

  @Test
  void beforeAFallbackOpensItsSecondIsNotAsked() {
    LiveCall call = held("fallback(ci, 10s, human)");
    assertThat(asked(call, CI, "ci")).isTrue();
    assertThat(asked(call, ALICE, "human")).isFalse();
    var _ = call.advance(Duration.ofSeconds(10));
    var _ = call.tick();
    assertThat(asked(call, ALICE, "human")).isTrue();
    assertThat(asked(call, CI, "ci")).isTrue();
  }

  @Test
  void anEndedCallAsksNobody() {
    LiveCall call = held("human");
    var _ = call.run(new HeldCallCommand.CancelCall(AGENT, null));
    assertThat(asked(call, ALICE, "human")).isFalse();
    LiveCall free = LiveCall.proposed(CoreFixtures.ALLOW, CoreFixtures.DESK);
    assertThat(asked(free, ALICE, "human")).isFalse();
  }
}
