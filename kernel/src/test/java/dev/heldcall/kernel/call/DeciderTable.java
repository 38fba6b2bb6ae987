package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CAROL;
import static dev.heldcall.kernel.call.CoreFixtures.OPERATOR;
import static dev.heldcall.kernel.call.CoreFixtures.OTHER_AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.STRANGER;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;
import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;

import dev.heldcall.kernel.call.HeldCallCommand.AcknowledgeDelivery;
import dev.heldcall.kernel.call.HeldCallCommand.Attest;
import dev.heldcall.kernel.call.HeldCallCommand.CancelCall;
import dev.heldcall.kernel.call.HeldCallCommand.RefuseAttestation;
import dev.heldcall.kernel.call.HeldCallCommand.ReportDependency;
import dev.heldcall.kernel.call.HeldCallCommand.ReportDispatch;
import dev.heldcall.kernel.call.HeldCallCommand.ReportOutcome;
import dev.heldcall.kernel.call.HeldCallCommand.ReportReadBack;
import dev.heldcall.kernel.call.HeldCallCommand.RevokeAttestation;
import dev.heldcall.kernel.call.HeldCallCommand.TakeLease;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The states a call can be in and the commands it can be given. What each command leads to in each
 * state stands in {@code decider-table.txt} beside the tests.
 */
final class DeciderTable {

  static final String DEPENDENCY = "hc_dependency";
  static final String CHILD = "hc_child";

  private static final PolicyLayers TWO = demand("quorum(2, human)");

  private DeciderTable() {}

  /** Every state, by name; each time a call of its own. */
  static Map<String, Supplier<LiveCall>> states() {
    Map<String, Supplier<LiveCall>> states = new LinkedHashMap<>();
    states.put("not proposed", () -> LiveCall.under(TWO));
    states.put("held", () -> half(CoreFixtures.TRANSFER));
    states.put("held by a revoked key", () -> bySigned("transfer", KeyStanding.REVOKED));
    states.put("ready client by an unknown key", () -> bySigned("desk", KeyStanding.UNKNOWN));
    states.put("ready client", () -> full(CoreFixtures.DESK));
    states.put("waiting for dependency", DeciderTable::waiting);
    states.put("leased", () -> full(CoreFixtures.TRANSFER));
    states.put("leased by a client", DeciderTable::clientLeased);
    states.put("proven without effect", () -> then(full("transfer"), LiveCall::noEffect));
    states.put("unknown", DeciderTable::unknown);
    states.put("effect recorded", DeciderTable::recorded);
    states.put("quarantined", () -> then(full(CoreFixtures.REPORT), it -> it.answered("{}")));
    states.put("acknowledged", () -> then(recorded(), LiveCall::acknowledge));
    states.put("cancelled", () -> then(half(CoreFixtures.TRANSFER), LiveCall::cancel));
    states.put("expired", DeciderTable::expired);
    states.put("denied", () -> then(half(CoreFixtures.TRANSFER), it -> it.deny(CAROL)));
    return states;
  }

  /** Held under a rule for two, and Bob has approved as b-1. */
  private static LiveCall half(String tool) {
    LiveCall call = LiveCall.proposed(TWO, tool);
    call.attest(BOB, call.attestation("b-1", BOB, APPROVE));
    return call;
  }

  /** Like {@link #full}, but b-1 is signed, and its key stands so since. */
  private static LiveCall bySigned(String tool, KeyStanding standing) {
    LiveCall call = LiveCall.proposed(TWO, tool);
    call.run(LiveCall.signed(BOB, call.attestation("b-1", BOB, APPROVE), "k-1"));
    call.key("k-1", standing);
    if (standing == KeyStanding.UNKNOWN) {
      call.attest(ALICE, call.attestation("a-0", ALICE, APPROVE));
    }
    return call;
  }

  private static LiveCall full(String tool) {
    LiveCall call = half(tool);
    call.attest(ALICE, call.attestation("a-0", ALICE, APPROVE));
    return call;
  }

  private static LiveCall waiting() {
    LiveCall call = LiveCall.under(TWO);
    call.run(
        LiveCall.propose(
            LiveCall.proposal(
                CoreFixtures.TRANSFER,
                json("{'amount': 125000}"),
                List.of(DEPENDENCY),
                Preferences.NONE)));
    call.run(new HeldCallCommand.AnnounceChild(CHILD));
    call.attest(BOB, call.attestation("b-1", BOB, APPROVE));
    call.attest(ALICE, call.attestation("a-0", ALICE, APPROVE));
    return call;
  }

  private static LiveCall clientLeased() {
    LiveCall call = full(CoreFixtures.DESK);
    call.take(AGENT, "key-1");
    return call;
  }

  private static LiveCall unknown() {
    LiveCall call = full(CoreFixtures.TRANSFER);
    call.unknown();
    return call.advance(Duration.ofMinutes(1));
  }

  private static LiveCall recorded() {
    return then(full(CoreFixtures.TRANSFER), it -> it.answered("{'id': 7}"));
  }

  private static LiveCall expired() {
    LiveCall call = half(CoreFixtures.TRANSFER);
    call.advance(Duration.ofMinutes(10)).tick();
    return call;
  }

  private static LiveCall then(LiveCall call, Function<LiveCall, Object> turn) {
    Object ignored = turn.apply(call);
    return ignored == null ? LiveCall.under(TWO) : call;
  }

  /** Every command, by name, made for the call as it stands. */
  static Map<String, Function<LiveCall, HeldCallCommand>> commands() {
    Map<String, Function<LiveCall, HeldCallCommand>> commands = new LinkedHashMap<>();
    fromClients(commands);
    fromWorkers(commands);
    fromTheKernel(commands);
    return commands;
  }

  private static void fromClients(Map<String, Function<LiveCall, HeldCallCommand>> commands) {
    commands.put("propose the same", DeciderTable::proposeAgain);
    commands.put(
        "propose other content",
        call ->
            LiveCall.propose(
                LiveCall.proposal("blind", json("{'amount': 1}"), List.of(), Preferences.NONE)));
    commands.put("approve", call -> new Attest(CAROL, bound(call, "c-1", CAROL)));
    commands.put(
        "approve signed", call -> LiveCall.signed(CAROL, bound(call, "c-3", CAROL), "k-2"));
    commands.put(
        "approve by a revoked key",
        call -> {
          call.key("k-3", KeyStanding.REVOKED);
          return LiveCall.signed(CAROL, bound(call, "c-4", CAROL), "k-3");
        });
    commands.put(
        "approve with a bad signature",
        call ->
            new Attest(
                CAROL, bound(call, "c-5", CAROL), new SignatureVerdict.Failed("it is forged")));
    commands.put("approve again as before", call -> new Attest(BOB, known(call)));
    commands.put("approve under a used id", call -> new Attest(BOB, other(known(call))));
    commands.put("approve an older contract", call -> new Attest(CAROL, stale(call)));
    commands.put("approve by the proposer", call -> new Attest(AGENT, bound(call, "p-1", AGENT)));
    commands.put(
        "approve by a stranger", call -> new Attest(STRANGER, bound(call, "s-1", STRANGER)));
    commands.put(
        "attest unreadably",
        call -> new RefuseAttestation(ALICE, null, false, "no expires_at", List.of()));
    commands.put("attest without the role", call -> refused(OTHER_AGENT));
    commands.put("revoke", call -> new RevokeAttestation(BOB, "b-1", "a mistake"));
    commands.put("revoke another's", call -> new RevokeAttestation(ALICE, "b-1", null));
    commands.put("revoke as operator", call -> new RevokeAttestation(OPERATOR, "b-1", null));
    commands.put("revoke what is not there", call -> new RevokeAttestation(BOB, "z-9", null));
    commands.put("cancel", call -> new CancelCall(AGENT, "no longer wanted"));
    commands.put("cancel as operator", call -> new CancelCall(OPERATOR, null));
    commands.put("cancel by a witness", call -> new CancelCall(ALICE, null));
    commands.put("cancel by a stranger", call -> new CancelCall(STRANGER, null));
    commands.put("edit", call -> LiveCall.edit(AGENT, 1, "{'amount': 5}"));
    commands.put("edit another generation", call -> LiveCall.edit(AGENT, 2, "{'amount': 5}"));
    commands.put("edit by another", call -> LiveCall.edit(OTHER_AGENT, 1, "{'amount': 5}"));
    commands.put("take the lease", call -> new TakeLease(AGENT, 1, "w", "key-1"));
    commands.put("take the lease anew", call -> new TakeLease(AGENT, 1, "w", "key-2"));
    commands.put("take the lease by another", call -> new TakeLease(OTHER_AGENT, 1, "w", null));
    commands.put(
        "report an outcome",
        call -> new ReportOutcome(AGENT, leaseId(call), true, json("{'id': 7}")));
    commands.put("resolve as effect", call -> LiveCall.resolution(OPERATOR, true));
    commands.put("resolve as no effect", call -> LiveCall.resolution(OPERATOR, false));
    commands.put("resolve by the proposer", call -> LiveCall.resolution(AGENT, true));
    commands.put("acknowledge", call -> new AcknowledgeDelivery(AGENT, deliveryId(call)));
    commands.put("acknowledge another", call -> new AcknowledgeDelivery(AGENT, "hc_other.1"));
  }

  private static void fromWorkers(Map<String, Function<LiveCall, HeldCallCommand>> commands) {
    commands.put("announce a child", call -> new HeldCallCommand.AnnounceChild("hc_new"));
    commands.put(
        "the parent ends", call -> new HeldCallCommand.EndWithParent("hc_parent", "cancelled"));
    commands.put("tick", call -> new HeldCallCommand.Tick());
    commands.put("dispatch succeeded", call -> dispatch(call, LiveCall.answer(true, "{'id': 7}")));
    commands.put("dispatch failed", call -> dispatch(call, LiveCall.answer(false, "{'no': 1}")));
    commands.put("dispatch had no effect", call -> dispatch(call, new DispatchReport.NoEffect("")));
    commands.put("dispatch is unknown", call -> dispatch(call, new DispatchReport.Unknown("")));
    commands.put("read back an effect", call -> back(call, LiveCall.effectSeen("{'id': 7}")));
    commands.put("read back no effect", call -> back(call, new ReadBackReport.NoEffect()));
    commands.put("read back nothing", call -> back(call, new ReadBackReport.CannotTell("500")));
    commands.put(
        "dependency succeeded", call -> dependency(DEPENDENCY, DependencyState.SATISFIED, false));
    commands.put(
        "dependency refused", call -> dependency(DEPENDENCY, DependencyState.REFUSED, false));
    commands.put(
        "dependency still pending", call -> dependency(DEPENDENCY, DependencyState.PENDING, false));
    commands.put(
        "unknown dependency", call -> dependency("hc_nobody", DependencyState.SATISFIED, false));
    commands.put("child settled", call -> dependency(CHILD, DependencyState.REFUSED, true));
  }

  private static void fromTheKernel(Map<String, Function<LiveCall, HeldCallCommand>> commands) {
    commands.put("expire", call -> new HeldCallCommand.ExpireCall());
    commands.put("expire evidence", call -> new HeldCallCommand.ExpireAttestation("b-1"));
    commands.put("revoke with its key", call -> new HeldCallCommand.RevokeWithKey("b-1"));
    commands.put("open a fallback", call -> new HeldCallCommand.OpenFallback(0));
    commands.put("refuse as refuted", call -> new HeldCallCommand.RefuseRefuted());
    commands.put("refuse as dependent", call -> new HeldCallCommand.RefuseDependent());
    commands.put("honour the cancel wish", call -> new HeldCallCommand.HonourCancelWish());
    commands.put("give up", call -> new HeldCallCommand.GiveUp());
    commands.put(
        "declare unknown", call -> new HeldCallCommand.DeclareUnknown(leaseId(call), "restart"));
    commands.put("rule again", call -> new HeldCallCommand.RuleAgain());
    commands.put("grant the lease", call -> new HeldCallCommand.GrantLease());
  }

  /** What the command leads to in the state: the answer, then the events. */
  static String cell(Supplier<LiveCall> state, Function<LiveCall, HeldCallCommand> command) {
    LiveCall call = state.get();
    Decision decision = call.decide(command.apply(call));
    List<String> kinds = LiveCall.kinds(decision.events());
    String said = LiveCall.said(decision.answer());
    return kinds.isEmpty() ? said : said + ": " + String.join(" ", kinds);
  }

  private static HeldCallCommand proposeAgain(LiveCall call) {
    CallSpec spec = call.facts().spec();
    Generation generation = call.facts().generation();
    return LiveCall.propose(
        LiveCall.proposal(
            generation == null ? CoreFixtures.TRANSFER : generation.tool(),
            json("{'amount': 1.25e5}"),
            spec == null ? List.of() : spec.dependsOn(),
            Preferences.NONE));
  }

  private static Attestation bound(LiveCall call, String id, Principal witness) {
    return call.facts().proposed()
        ? call.attestation(id, witness, APPROVE)
        : unbound(call, id, "human");
  }

  private static Attestation known(LiveCall call) {
    Evidence evidence = call.facts().evidence().get("b-1");
    return evidence == null ? unbound(call, "b-1", "human") : evidence.attestation();
  }

  private static Attestation unbound(LiveCall call, String id, String witnessClass) {
    return new Attestation(
        id,
        1,
        CoreFixtures.OTHER_DIGEST,
        CoreFixtures.OTHER_DIGEST,
        witnessClass,
        APPROVE,
        null,
        null,
        call.now(),
        call.now().plusSeconds(60),
        null);
  }

  private static Attestation other(Attestation of) {
    return new Attestation(
        of.attestationId(),
        of.generation(),
        of.callDigest(),
        of.contractDigest(),
        of.witnessClass(),
        DENY,
        of.reason(),
        of.evidence(),
        of.issuedAt(),
        of.expiresAt(),
        of.signature());
  }

  private static Attestation stale(LiveCall call) {
    return unbound(call, "c-2", "human");
  }

  private static RefuseAttestation refused(Principal by) {
    return new RefuseAttestation(by, "x-1", true, "the role is missing", List.of());
  }

  private static String leaseId(LiveCall call) {
    return call.facts().lastLease() == null ? "ls_none" : call.lease().leaseId();
  }

  private static String deliveryId(LiveCall call) {
    return call.facts().proposed() ? OutcomeJson.deliveryId(call.facts()) : "hc_none.1";
  }

  private static ReportDispatch dispatch(LiveCall call, DispatchReport report) {
    return new ReportDispatch(leaseId(call), report);
  }

  private static ReportReadBack back(LiveCall call, ReadBackReport report) {
    return new ReportReadBack(leaseId(call), call.now(), report);
  }

  private static ReportDependency dependency(String id, DependencyState state, boolean child) {
    return new ReportDependency(id, state, child, "as reported");
  }
}
