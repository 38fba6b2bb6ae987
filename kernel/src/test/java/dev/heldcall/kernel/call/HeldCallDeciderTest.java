package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.OPERATOR;
import static dev.heldcall.kernel.call.CoreFixtures.WORKER;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.heldcall.kernel.call.HeldCallCommand.ReportOutcome;
import dev.heldcall.kernel.call.HeldCallCommand.TakeLease;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.AttestationDecision;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every command in every state, by the table, and what the table's columns cannot show. */
class HeldCallDeciderTest {

  @TestFactory
  List<DynamicNode> everyCommandInEveryState() throws IOException {
    Map<String, Map<String, String>> table = table();
    List<DynamicNode> states = new ArrayList<>();
    DeciderTable.states()
        .forEach(
            (state, call) -> {
              Map<String, String> expected = table.getOrDefault(state, Map.of());
              List<DynamicNode> rows = new ArrayList<>();
              DeciderTable.commands()
                  .forEach(
                      (name, command) ->
                          rows.add(
                              dynamicTest(
                                  name,
                                  () ->
                                      assertThat(DeciderTable.cell(call, command))
                                          .as("%s, %s", state, name)
                                          .isEqualTo(expected.get(name)))));
              states.add(dynamicContainer(state, rows));
            });
    return states;
  }

  @Test
  void theTableHasARowForEachCommandInEachStateAndNoOther() throws IOException {
    Map<String, Map<String, String>> table = table();
    assertThat(table).containsOnlyKeys(DeciderTable.states().keySet());
    table.forEach(
        (state, rows) ->
            assertThat(rows).as(state).containsOnlyKeys(DeciderTable.commands().keySet()));
  }

  private static Map<String, Map<String, String>> table() throws IOException {
    Map<String, Map<String, String>> table = new LinkedHashMap<>();
    try (InputStream in =
        Objects.requireNonNull(
            HeldCallDeciderTest.class.getResourceAsStream("decider-table.txt"))) {
      String state = "";
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        int bar = line.indexOf('|');
        if (line.startsWith("# ")) {
          state = line.substring(2);
        } else if (bar > 0) {
          table
              .computeIfAbsent(state, key -> new LinkedHashMap<>())
              .put(line.substring(0, bar).trim(), line.substring(bar + 1).trim());
        }
      }
    }
    return table;
  }

  private static String said(Decision decision) {
    return LiveCall.said(decision.answer());
  }

  @Nested
  class Proposing {

    @Test
    void needsAPolicyThatWasReadForIt() {
      LiveCall call = LiveCall.under(HUMAN).policy(null);
      Decision decision = call.decide(LiveCall.propose(LiveCall.proposal("transfer")));
      assertThat(said(decision)).isEqualTo("fresh policy needed");
      assertThat(decision.events()).isEmpty();
    }

    @Test
    void refusesAToolThatIsNotRegistered() {
      Decision decision =
          LiveCall.under(HUMAN).decide(LiveCall.propose(LiveCall.proposal("no_such_tool")));
      assertThat(said(decision)).isEqualTo("unknown-tool");
      assertThat(decision.events()).isEmpty();
    }

    @Test
    void refusesArgumentsThatBreakTheSchemaAndSaysWhere() {
      Proposal wrong = LiveCall.proposal("transfer", json("[1]"), List.of(), Preferences.NONE);
      Decision decision = LiveCall.under(HUMAN).decide(LiveCall.propose(wrong));
      assertThat(said(decision)).isEqualTo("args-schema");
      assertThat(((Answer.Refused) decision.answer()).rejection().errors())
          .extracting(Rejection.FieldError::pointer)
          .containsExactly("/args");
    }

    @Test
    void writesTheRefusalDownWithItsReasons() {
      LiveCall call = LiveCall.proposed(CoreFixtures.DENY, "transfer");
      assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
      assertThat(call.ruling().reasons()).isNotEmpty();
      assertThat(call.end().by()).isEqualTo("policy");
    }

    @Test
    void refusesWhatNobodyDecided() {
      PolicyLayers silent = CoreFixtures.layers("", null, CoreFixtures.TOOLS);
      LiveCall call = LiveCall.proposed(silent, "transfer");
      assertThat(call.facts().lifecycle()).isEqualTo(Lifecycle.DENIED);
      assertThat(call.ruling().verdict().wireName()).isEqualTo("INDETERMINATE");
    }
  }

  @Nested
  class Bounds {

    @Test
    void refusedAttestationsAreRecordedUpToTheBound() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      HeldCallCommand unreadable =
          new HeldCallCommand.RefuseAttestation(ALICE, null, false, "no id", List.of());
      for (int i = 0; i < 200; i++) {
        assertThat(LiveCall.said(call.run(unreadable).answer())).isEqualTo("invalid");
      }
      assertThat(call.facts().refusals()).isEqualTo(200);
      Decision over = call.decide(unreadable);
      assertThat(said(over)).isEqualTo("too-many-refusals");
      assertThat(over.events()).isEmpty();
      assertThat(LiveCall.kinds(call.approve(ALICE).events())).contains("LeaseGranted");
    }

    @Test
    void acceptedAttestationsAreBoundedToo() {
      LiveCall call = LiveCall.proposed(CoreFixtures.demand("human & ci"), "transfer");
      for (int i = 0; i < 200; i++) {
        call.approve(ALICE);
      }
      assertThat(LiveCall.said(call.approve(ALICE).answer())).isEqualTo("too-many-refusals");
      assertThat(LiveCall.said(call.approve(BOB).answer())).isEqualTo("accepted");
      call.advance(Duration.ofHours(2));
      assertThat(LiveCall.kinds(call.tick().events())).containsExactly("CallExpired");
    }

    @Test
    void lateRevocationsAreRecordedUpToABound() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.approve(ALICE);
      String id = call.facts().evidence().firstEntry().getKey();
      for (int i = 0; i < 500; i++) {
        call.run(new HeldCallCommand.RevokeAttestation(ALICE, id, null));
      }
      assertThat(call.facts().events()).isEqualTo(400);
    }
  }

  @Nested
  class Evidence {

    @Test
    void withAnotherEvidenceTreeUnderTheSameIdIsAConflict() {
      LiveCall call = LiveCall.proposed(CoreFixtures.demand("quorum(2, human)"), "transfer");
      var first = call.attestation("a-1", ALICE, AttestationDecision.APPROVE);
      var withEvidence =
          new dev.heldcall.plugin.api.Attestation(
              "a-1",
              first.generation(),
              first.callDigest(),
              first.contractDigest(),
              first.witnessClass(),
              first.decision(),
              first.reason(),
              json("{'digest': 1.0}"),
              first.issuedAt(),
              first.expiresAt(),
              null);
      call.attest(ALICE, withEvidence);
      assertThat(LiveCall.said(call.attest(ALICE, withEvidence).answer())).isEqualTo("duplicate");
      assertThat(LiveCall.said(call.attest(ALICE, first).answer()))
          .isEqualTo("attestation-conflict");
      assertThat(LiveCall.said(call.attest(BOB, withEvidence).answer()))
          .as("the same content from another identity is another content")
          .isEqualTo("attestation-conflict");
    }

    @Test
    void refusedTakesNoId() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.attest(AGENT, call.attestation("a-1", AGENT, AttestationDecision.APPROVE));
      assertThat(call.facts().refusals()).isEqualTo(1);
      assertThat(
              LiveCall.said(
                  call.attest(ALICE, call.attestation("a-1", ALICE, AttestationDecision.APPROVE))
                      .answer()))
          .isEqualTo("accepted");
    }
  }

  @Nested
  class ClientLeases {

    @Test
    void areTakenByTheProposerOrAWorkerOfItsProject() {
      LiveCall call = LiveCall.proposed(CoreFixtures.ALLOW, "desk");
      assertThat(said(call.decide(new TakeLease(WORKER, 1, null, null)))).isEqualTo("leased 1.1");
      assertThat(said(call.decide(new TakeLease(AGENT, 1, null, null)))).isEqualTo("leased 1.1");
      assertThat(said(call.decide(new TakeLease(OPERATOR, 1, null, null)))).isEqualTo("forbidden");
    }

    @Test
    void areReportedOnlyByTheirHolder() {
      LiveCall call = LiveCall.proposed(CoreFixtures.ALLOW, "desk");
      call.take(WORKER, null);
      String id = call.lease().leaseId();
      assertThat(said(call.decide(new ReportOutcome(AGENT, id, true, json("1")))))
          .isEqualTo("forbidden");
      call.run(new ReportOutcome(WORKER, id, true, json("1")));
      assertThat(said(call.decide(new ReportOutcome(WORKER, id, true, json("1.0")))))
          .isEqualTo("stands");
      assertThat(said(call.decide(new ReportOutcome(WORKER, id, true, json("2")))))
          .isEqualTo("resolution-conflict");
      assertThat(said(call.decide(new ReportOutcome(OPERATOR, "ls_none", true, json("2")))))
          .isEqualTo("forbidden");
    }

    @Test
    void needTheGenerationThatStands() {
      LiveCall call = LiveCall.proposed(CoreFixtures.ALLOW, "desk");
      assertThat(said(call.decide(new TakeLease(AGENT, 2, null, null)))).isEqualTo("stale");
    }

    @Test
    void needAPolicyThatIsNotOlderThanTheOneThatRuled() {
      LiveCall call = LiveCall.under(CoreFixtures.ALLOW).adopt(CoreFixtures.ALLOW);
      call.run(LiveCall.propose(LiveCall.proposal("desk")));
      call.policy(CoreFixtures.inForce(CoreFixtures.ALLOW, 1));
      assertThat(said(call.decide(new TakeLease(AGENT, 1, null, null))))
          .isEqualTo("fresh policy needed");
      assertThat(call.tick().events()).isEmpty();
    }

    @Test
    void needAPolicyThatWasReadForThem() {
      LiveCall call = LiveCall.proposed(CoreFixtures.ALLOW, "desk").policy(null);
      assertThat(said(call.decide(new TakeLease(AGENT, 1, null, null))))
          .isEqualTo("fresh policy needed");
    }
  }

  @Nested
  class AtTheCallsEnd {

    @Test
    void whatIsAskedAfterTheTimeIsAskedOfAnExpiredCall() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.advance(Duration.ofMinutes(10));
      Decision attested =
          call.decide(
              new HeldCallCommand.Attest(
                  ALICE, call.attestation("a-1", ALICE, AttestationDecision.APPROVE)));
      assertThat(said(attested)).isEqualTo("stale");
      assertThat(LiveCall.kinds(attested.events()))
          .containsExactly("CallExpired", "AttestationRefused");
      assertThat(said(call.decide(LiveCall.edit(AGENT, 1, "{}")))).isEqualTo("not-open");
      assertThat(said(call.decide(new HeldCallCommand.CancelCall(AGENT, null))))
          .isEqualTo("not-open");
    }

    @Test
    void aMillisecondBeforeItIsOpen() {
      LiveCall call = LiveCall.proposed(HUMAN, "transfer");
      call.advance(Duration.ofMinutes(10).minusMillis(1));
      assertThat(LiveCall.kinds(call.approve(ALICE).events()))
          .containsExactly("AttestationAccepted", "LeaseGranted");
    }

    @Test
    void aWishToCancelIsRecordedOnce() {
      LiveCall call = LiveCall.proposed(CoreFixtures.ALLOW, "transfer");
      assertThat(LiveCall.kinds(call.cancel().events())).containsExactly("CancelRequested");
      assertThat(call.cancel().events()).isEmpty();
    }
  }
}
