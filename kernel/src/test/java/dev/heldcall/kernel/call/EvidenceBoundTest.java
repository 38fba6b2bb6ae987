package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How much is taken in of one witness, and what that leaves to the others. */
class EvidenceBoundTest {

  private static LiveCall waiting() {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal("transfer", json("{}"), List.of("hc_a"), Preferences.NONE)));
    return call;
  }

  /** Says something and takes it back, as often as it is let. */
  private static int flood(LiveCall call) {
    int taken = 0;
    for (int i = 0; i < 1_000; i++) {
      String id = "a-" + i;
      Answer answer =
          call.run(new HeldCallCommand.Attest(ALICE, call.attestation(id, ALICE, APPROVE)))
              .answer();
      if (!(answer instanceof Answer.Attested)) {
        break;
      }
      call.run(new HeldCallCommand.RevokeAttestation(ALICE, id, null));
      taken++;
    }
    return taken;
  }

  @Test
  void oneWitnessIsBoundedByItself() {
    LiveCall call = waiting();
    assertThat(flood(call)).isEqualTo(100);
  }

  @Test
  void nobodyKeepsOthersFromAWordThatCounts() {
    LiveCall call = waiting();
    flood(call);
    call.run(new HeldCallCommand.Attest(BOB, call.attestation("b-1", BOB, DENY)));
    assertThat(call.facts().evidence()).containsKey("b-1");
    assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
  }
}
