package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.LiveCalls;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.plugin.api.Disclosure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CallRowsTest {

  private static final Map<String, LiveCall> CALLS = LiveCalls.all();

  static Set<Map.Entry<String, LiveCall>> calls() {
    return CALLS.entrySet();
  }

  private static CallRow row(String name) {
    return row(Objects.requireNonNull(CALLS.get(name)));
  }

  private static CallRow row(LiveCall call) {
    return CallRows.of(call.facts(), call.facts().events());
  }

  private static JsonNode summary(CallRow row) {
    try {
      return new JsonMapper().readTree(row.summary());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : instant.toEpochMilli();
  }

  @ParameterizedTest
  @CsvSource({
    "held, WAITING, HELD, false",
    "waiting for others, WAITING, HELD, false",
    "edited, WAITING, HELD, false",
    "leased, READY, LEASED, false",
    "leased to a client, READY, LEASED, false",
    "unknown, UNKNOWN, OUTCOME_UNKNOWN, false",
    "retried after no effect, READY, LEASED, false",
    "admitted, ENDED, DELIVERY_PENDING, true",
    "quarantined, ENDED, DELIVERY_PENDING, true",
    "acknowledged, ENDED, DELIVERED, true",
    "cancelled, ENDED, TERMINAL_NO_EFFECT, true",
    "expired, ENDED, TERMINAL_NO_EFFECT, true",
    "denied, ENDED, TERMINAL_NO_EFFECT, true",
    "late effect, UNKNOWN, OUTCOME_UNKNOWN, false",
  })
  void isInTheListOfItsState(String name, CallState state, String phase, boolean ended) {
    CallRow row = row(name);
    assertThat(row.state()).isEqualTo(state);
    assertThat(row.phase()).isEqualTo(phase);
    assertThat(row.ended()).isEqualTo(ended);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void isAFunctionOfTheFacts(Map.Entry<String, LiveCall> call) {
    HeldCallFacts facts = call.getValue().facts();
    CallRow row = row(call.getValue());
    assertThat(row(call.getValue())).isEqualTo(row);
    assertThat(row.heldId()).isEqualTo(facts.requireSpec().heldId());
    assertThat(row.expiresAtMillis()).isEqualTo(millis(facts.expiresAt()));
    assertThat(row.dueAtMillis()).isEqualTo(millis(Enabling.nextDue(facts)));
    assertThat(row.seqNr()).isEqualTo(facts.events());
    assertThat(row.generation()).isEqualTo(facts.requireGeneration().number());
    assertThat(summary(row).path("state").asText()).isEqualTo(row.state().wire());
    assertThat(summary(row).path("concluded").booleanValue()).isEqualTo(row.ended());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void neverShowsAResult(Map.Entry<String, LiveCall> call) {
    assertThat(row(call.getValue()).summary()).doesNotContain("canary", "secret");
  }

  @Test
  void saysWhatIsMissingAndNothingOfWhoCouldGiveIt() {
    assertThat(summary(row("held")).path("explain").toString())
        .contains("waiting for: ")
        .doesNotContain("could come from", "holds class");
  }

  @ParameterizedTest
  @MethodSource("calls")
  void anEndedCallIsNeverDueAndWaitsForNobody(Map.Entry<String, LiveCall> call) {
    CallRow row = row(call.getValue());
    if (row.ended()) {
      assertThat(row.dueAtMillis()).isNull();
      assertThat(row.waitingClasses()).isEmpty();
      assertThat(summary(row).path("runnable").booleanValue()).isFalse();
    }
  }

  @Test
  void namesTheClassesWhoseEvidenceIsWanted() {
    LiveCall call = LiveCall.proposed(demand("human & ci", "{'veto': ['compliance']}"), "transfer");
    assertThat(row(call).waitingClasses()).containsExactlyInAnyOrder("human", "ci", "compliance");
    call.approve(CI);
    assertThat(row(call).waitingClasses()).contains("human", "compliance");
    call.approve(ALICE);
    assertThat(row(call).waitingClasses()).isEmpty();
  }

  @Test
  void saysWhatACallWaitsFor() {
    JsonNode summary = summary(row("waiting for others"));
    assertThat(summary.path("blocked_on")).hasSize(1);
    assertThat(summary.path("blocked_on").path(0).asText()).isEqualTo("hc_other");
    assertThat(summary.path("runnable").booleanValue()).isFalse();
    assertThat(summary(row("held")).path("blocked_on")).isEmpty();
  }

  @Test
  void carriesWhatAWitnessNeeds() {
    LiveCall call = Objects.requireNonNull(CALLS.get("held"));
    JsonNode summary = summary(row(call));
    assertThat(summary.at("/contract/rule").asText()).isEqualTo("human");
    assertThat(summary.at("/contract/digest").asText())
        .isEqualTo(Objects.requireNonNull(call.contractDigest()).value());
    assertThat(summary.at("/call_digest").asText())
        .isEqualTo(call.facts().requireGeneration().callDigest().value());
    assertThat(summary.at("/presentation/args/amount").asInt()).isEqualTo(125_000);
    assertThat(summary.at("/expires_at").asText()).endsWith(".000Z");
  }

  @Test
  void leavesLargeArgumentsOut() {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal(
                "transfer",
                json("{'text': '" + "x".repeat(9_000) + "'}"),
                List.of(),
                Preferences.NONE)));
    JsonNode summary = summary(row(call));
    assertThat(summary.at("/presentation/args").isNull()).isTrue();
    assertThat(summary.at("/presentation/args_left_out").booleanValue()).isTrue();
    assertThat(row(call).summary().length()).isLessThan(4_000);
  }

  @Test
  void showsNoMoreThanTheDisclosure() {
    Preferences digestOnly =
        new Preferences(
            null,
            Preferences.OnDisconnect.KEEP,
            null,
            List.of(),
            Preferences.TransformPosture.APPLY,
            Disclosure.DIGEST,
            Preferences.Resume.FOREGROUND);
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            LiveCall.proposal("transfer", json("{'a': 'canary'}"), List.of(), digestOnly)));
    assertThat(row(call).summary()).doesNotContain("canary");
  }
}
