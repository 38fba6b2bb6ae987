package dev.heldcall.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.LiveCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written, turn by turn: each list is one journal write. */
class JournalShapeTest {

  @Test
  void anUndisturbedHoldTakesFourWrites() {
    LiveCall call = LiveCall.under(CoreFixtures.HUMAN);
    List<List<String>> writes = new ArrayList<>();
    writes.add(LiveCall.kinds(call.run(LiveCall.propose(LiveCall.proposal("transfer"))).events()));
    writes.add(LiveCall.kinds(call.approve(CoreFixtures.ALICE).events()));
    writes.add(LiveCall.kinds(call.answered("{'id': 1}").events()));
    writes.add(LiveCall.kinds(call.acknowledge().events()));
    assertThat(writes)
        .containsExactly(
            List.of("CallProposed", "CallRuled"),
            List.of("AttestationAccepted", "LeaseGranted"),
            List.of("OutcomeRecorded", "ResultAdmitted"),
            List.of("DeliveryAcknowledged"));
  }

  @Test
  void anAllowedCallTakesItsLeaseWithItsProposal() {
    LiveCall call = LiveCall.under(CoreFixtures.ALLOW);
    assertThat(LiveCall.kinds(call.run(LiveCall.propose(LiveCall.proposal("transfer"))).events()))
        .containsExactly("CallProposed", "CallRuled", "LeaseGranted");
  }

  @Test
  void aDeniedCallIsOneWrite() {
    LiveCall call = LiveCall.under(CoreFixtures.DENY);
    assertThat(LiveCall.kinds(call.run(LiveCall.propose(LiveCall.proposal("transfer"))).events()))
        .containsExactly("CallProposed", "CallRuled", "CallDenied");
  }

  @Test
  void readingOfferingAndTickingWriteNothing() {
    LiveCall call = LiveCall.proposed(CoreFixtures.HUMAN, "transfer");
    assertThat(call.tick().events()).isEmpty();
    call.approve(CoreFixtures.ALICE);
    assertThat(call.tick().events()).isEmpty();
    call.answered("{'id': 1}");
    assertThat(call.tick().events()).isEmpty();
    call.acknowledge();
    assertThat(call.acknowledge().events()).isEmpty();
    assertThat(call.tick().events()).isEmpty();
  }
}
