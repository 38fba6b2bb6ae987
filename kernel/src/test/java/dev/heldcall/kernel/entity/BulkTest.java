package dev.heldcall.kernel.entity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Preferences;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes much room leaves memory soon. */
class BulkTest {

  private static final Duration USUAL = Duration.ofMinutes(2);

  private static Duration idle(String args) {
    JsonNode tree = CoreFixtures.json(args);
    LiveCall call = LiveCall.under(CoreFixtures.HUMAN);
    call.run(LiveCall.propose(LiveCall.proposal("transfer", tree, List.of(), Preferences.NONE)));
    return Bulk.idle(call.facts(), USUAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'a': 1}", "{'a': [[[[1]]]], 'b': 'some text'}"})
  void anOrdinaryCallStays(String args) {
    assertThat(idle(args)).isEqualTo(USUAL);
  }

  @Test
  void aBulkyCallGoesSoon() {
    Duration numbers = idle("{'a': [0" + ",0".repeat(3_000) + "]}");
    Duration deep = idle("{'a': [[]" + ",[[],{}]".repeat(1_000) + "]}");
    Duration text = idle("{'a': '" + "x".repeat(100_000) + "'}");
    assertThat(numbers).isLessThan(Duration.ofSeconds(1)).isEqualTo(deep).isEqualTo(text);
  }

  @Test
  void aCallThatIsNotProposedStays() {
    assertThat(Bulk.idle(HeldCallFacts.NONE, USUAL)).isEqualTo(USUAL);
  }
}
