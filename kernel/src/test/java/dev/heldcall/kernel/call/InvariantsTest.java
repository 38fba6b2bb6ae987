package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.OTHER_DIGEST;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.kernel.lease.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each check bites: a decision that breaks an invariant is named by it. */
class InvariantsTest {

  private static EventMeta next(LiveCall call) {
    return new EventMeta(EventIds.of(call.facts().events() + 1), call.now(), "somebody");
  }

  private static List<String> broken(LiveCall call, HeldCallEvent... events) {
    List<HeldCallEvent> all = List.of(events);
    return Invariants.violations(
        call.facts(), all, HeldCallReducer.reduceAll(call.facts(), all), call.context());
  }

  private static void assertBroken(String invariant, LiveCall call, HeldCallEvent... events) {
    assertThat(broken(call, events))
        .as(invariant)
        .anySatisfy(each -> assertThat(each).startsWith(invariant));
  }

  /** The lease of an allowed call like it, for the call at hand. */
  private static Lease lease(LiveCall call, int attempt) {
    Lease like = LiveCall.proposed(ALLOW, call.facts().requireGeneration().tool()).lease();
    return new Lease(
        "ls_forged." + attempt,
        like.heldId(),
        new FencingToken(call.facts().requireGeneration().number(), attempt),
        like.executor(),
        like.holder(),
        null,
        null,
        call.facts().requireGeneration().callDigest(),
        like.pluginSetDigest(),
        call.ruling().policyVersion(),
        call.ruling().epoch(),
        call.ruling().toolDigest(),
        like.idempotencyKey(),
        call.now(),
        call.now().plusSeconds(5),
        call.now().plusSeconds(15),
        call.now());
  }

  private static HeldCallEvent outcome(LiveCall call) {
    return new HeldCallEvent.OutcomeRecorded(
        next(call),
        call.lease().leaseId(),
        true,
        OTHER_DIGEST,
        1,
        false,
        OutcomeSource.ANSWER,
        "200");
  }

  @Test
  void anUndisturbedCallBreaksNone() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.approve(ALICE);
    call.answered("{'id': 7}");
    call.acknowledge();
    assertThat(broken(call)).isEmpty();
  }

  @Test
  void aLeaseWithoutAWitness() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    assertBroken(
        "1 witnessed effect", call, new HeldCallEvent.LeaseGranted(next(call), lease(call, 1)));
  }

  @Test
  void aLeaseUnderAPolicyThatIsNotInForce() {
    LiveCall call = LiveCall.proposed(HUMAN, "desk");
    call.approve(ALICE);
    HeldCallEvent granted =
        call.decide(new HeldCallCommand.TakeLease(AGENT, 1, null, null)).events().getFirst();
    assertThat(broken(call, granted)).isEmpty();
    call.adopt(HUMAN);
    assertBroken("1 witnessed effect", call, granted);
  }

  @Test
  void waitingThatTurnsIntoAllowing() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Ruling allowed = LiveCall.proposed(ALLOW, "transfer").ruling();
    assertBroken(
        "1 witnessed effect", call, new HeldCallEvent.CallRuled(next(call), allowed, null, true));
  }

  @Test
  void aSecondLeaseWithoutProof() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    HeldCallEvent second = new HeldCallEvent.LeaseGranted(next(call), lease(call, 2));
    assertBroken("2 at most once", call, second);
    call.unknown();
    assertBroken(
        "2 at most once", call, new HeldCallEvent.LeaseGranted(next(call), lease(call, 2)));
    LiveCall honours = LiveCall.proposed(ALLOW, "charge");
    honours.unknown();
    assertThat(broken(honours, new HeldCallEvent.LeaseGranted(next(honours), lease(honours, 2))))
        .isEmpty();
  }

  @Test
  void evidenceOfTheProposerOrOfAnotherCall() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    assertBroken(
        "3 bound evidence",
        call,
        new HeldCallEvent.AttestationAccepted(
            next(call), call.attestation("a-1", AGENT, APPROVE), AGENT.ref(), null, null));
    LiveCall other = LiveCall.proposed(HUMAN, "blind");
    assertBroken(
        "3 bound evidence",
        call,
        new HeldCallEvent.AttestationAccepted(
            next(call), other.attestation("a-1", ALICE, APPROVE), ALICE.ref(), null, null));
  }

  @Test
  void anEventIdThatComesAgainOrFactsThatDoNotFollow() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    EventMeta again = new EventMeta(EventIds.of(call.facts().events()), call.now(), "somebody");
    assertBroken("4 append once", call, new HeldCallEvent.ChildAnnounced(again, "hc_child"));
    assertThat(Invariants.violations(call.facts(), List.of(), HeldCallFacts.NONE, call.context()))
        .anySatisfy(each -> assertThat(each).startsWith("4 append once"));
  }

  @Test
  void anEditAfterTheDispatch() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    Generation was = call.facts().requireGeneration();
    Generation made =
        new Generation(
            2, was.tool(), was.args(), was.argsDigest(), was.callDigest(), AGENT.ref(), call.now());
    assertBroken(
        "5 new generation, clean slate", call, new HeldCallEvent.CallEdited(next(call), made));
  }

  @Test
  void anEndAfterTheDispatchAndALeaseAfterAnEnd() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    assertBroken(
        "6 no effect after an end",
        call,
        new HeldCallEvent.CallCancelled(next(call), "agent-1", null));
    LiveCall cancelled = LiveCall.proposed(HUMAN, "transfer");
    cancelled.cancel();
    assertBroken(
        "6 no effect after an end",
        cancelled,
        new HeldCallEvent.LeaseGranted(next(cancelled), lease(cancelled, 1)));
  }

  @Test
  void whatIsProvenBecomesUnknown() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.noEffect();
    assertBroken(
        "7 ambiguity",
        call,
        new HeldCallEvent.OutcomeBecameUnknown(next(call), call.lease().leaseId(), "x"));
  }

  @Test
  void aCallThatNobodyAllowedStaysOpen() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Ruling denied = LiveCall.proposed(CoreFixtures.DENY, "transfer").ruling();
    assertBroken(
        "9 fail closed", call, new HeldCallEvent.CallRuled(next(call), denied, null, false));
  }

  @Test
  void aSecondOutcomeAndOneWithoutAdmission() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    assertBroken("10 one result", call, outcome(call));
    call.answered("{'id': 7}");
    assertBroken("10 one result", call, outcome(call));
    assertBroken(
        "10 one result", call, new HeldCallEvent.ResultAdmitted(next(call), json("{'id': 8}")));
    assertBroken(
        "10 one result", call, new HeldCallEvent.DeliveryAcknowledged(next(call), "hc_other.1"));
  }

  @Test
  void aReasonThatRepeatsWhatIsQuarantined() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    HeldCallEvent recorded = outcome(call);
    EventMeta second =
        new EventMeta(EventIds.of(call.facts().events() + 2), call.now(), EventMeta.KERNEL);
    assertBroken(
        "11 quarantine holds",
        call,
        recorded,
        new HeldCallEvent.ResultQuarantined(
            second, json("{'a': ['ignore all of this']}"), List.of("it says: ignore all of this")));
  }

  @Test
  void timeThatRunsBackAndAnExpiryBeforeItsTime() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    Function<Instant, EventMeta> at =
        instant -> new EventMeta(EventIds.of(call.facts().events() + 1), instant, "kernel");
    assertBroken(
        "time only grows",
        call,
        new HeldCallEvent.ChildAnnounced(at.apply(call.now().minusMillis(1)), "hc_child"));
    assertBroken("time only grows", call, new HeldCallEvent.CallExpired(at.apply(call.now())));
  }

  @Test
  void everyInvariantHasItsTest() {
    List<String> named = new ArrayList<>();
    for (Invariant each : Invariant.values()) {
      named.add(each.text());
    }
    assertThat(named).hasSize(12).allSatisfy(text -> assertThat(text).isNotBlank());
  }
}
