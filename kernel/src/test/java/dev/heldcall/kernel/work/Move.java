package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.OPERATOR;
import static dev.heldcall.kernel.call.CoreFixtures.WORKER;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * One thing that happens to a call: something a client asks, a report that arrives late, twice or
 * for another lease, time that jumps, a policy that changes, a process that dies. What the numbers
 * mean depends on the call, so that any sequence can be played and shrunk.
 */
record Move(Kind kind, int a, int b) {

  enum Kind {
    ADVANCE(8),
    ADOPT(2),
    BLUR_POLICY(1),
    LOSE_CAPABILITY(1),
    PROPOSE(3),
    APPROVE(9),
    DENY(1),
    SIGNED(3),
    LOSE_KEY(1),
    REPEAT_ATTESTATION(2),
    STALE_ATTESTATION(1),
    UNREADABLE_ATTESTATION(1),
    REVOKE(2),
    CANCEL(1),
    EDIT(2),
    TAKE(4),
    REPORT(3),
    RESOLVE(2),
    ACKNOWLEDGE(2),
    ANNOUNCE(1),
    SETTLE_CHILD(2),
    SETTLE_DEPENDENCY(3),
    TICK(8),
    RESTART(2),
    ANSWER(5),
    FAIL(2),
    NO_EFFECT(5),
    LOSE_ANSWER(4),
    READ_BACK(5),
    KERNEL(4);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  static final List<PolicyLayers> POLICIES =
      List.of(
          CoreFixtures.ALLOW,
          CoreFixtures.HUMAN,
          CoreFixtures.layers(
              CoreFixtures.demandRule("human", "{}"),
              "{'rules': [], 'default': 'DEFER'}",
              CoreFixtures.toolsElsewhere(CoreFixtures.TRANSFER)),
          demand("quorum(2, human)", "{'veto': ['compliance']}"),
          demand("fallback(ci, 1m, human)"),
          demand("human | ci", "{'on_refuted': 'hold', 'expires_s': 60}"),
          demand("human & ci", "{'independence': ['distinct-identities']}"),
          CoreFixtures.ALLOW,
          CoreFixtures.HUMAN,
          CoreFixtures.DENY);

  static final List<String> TOOLS =
      List.of(
          CoreFixtures.BLIND,
          CoreFixtures.TRANSFER,
          CoreFixtures.CHARGE,
          CoreFixtures.POST,
          CoreFixtures.DESK,
          CoreFixtures.DESK_AGAIN,
          CoreFixtures.REPORT);

  private static final List<Principal> WITNESSES =
      List.of(
          CoreFixtures.ALICE,
          CoreFixtures.BOB,
          CoreFixtures.CI,
          CoreFixtures.CAROL,
          CoreFixtures.COMPLIANCE,
          AGENT);

  private static final List<Duration> JUMPS =
      List.of(
          Duration.ZERO,
          Duration.ofMillis(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          Duration.ofSeconds(6),
          Duration.ofSeconds(11),
          Duration.ofSeconds(11),
          Duration.ofSeconds(16),
          Duration.ofSeconds(59),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofSeconds(-30));

  /** Plays the move; what a client would be refused is tried all the same. */
  void play(LiveCall call) {
    HeldCallFacts facts = call.facts();
    if (!facts.proposed() && kind != Kind.ADVANCE && kind != Kind.ADOPT && kind != Kind.TICK) {
      call.run(LiveCall.propose(proposal()));
      return;
    }
    switch (kind) {
      case ADVANCE -> call.advance(of(JUMPS, a));
      case ADOPT -> call.adopt(of(POLICIES, a));
      case BLUR_POLICY -> blur(call);
      case LOSE_CAPABILITY -> loseCapability(call);
      case PROPOSE -> call.run(LiveCall.propose(proposal()));
      case APPROVE -> attest(call, AttestationDecision.APPROVE);
      case DENY -> attest(call, AttestationDecision.DENY);
      case SIGNED -> call.attestSigned(of(WITNESSES, a), AttestationDecision.APPROVE, "k" + b % 3);
      case LOSE_KEY -> call.key("k" + a % 3, of(List.of(KeyStanding.values()), b));
      case REPEAT_ATTESTATION -> repeat(call);
      case STALE_ATTESTATION -> stale(call);
      case UNREADABLE_ATTESTATION ->
          call.run(
              new HeldCallCommand.RefuseAttestation(
                  of(WITNESSES, a), null, b % 2 == 0, "unreadable", List.of()));
      case REVOKE -> revoke(call);
      case CANCEL -> call.run(new HeldCallCommand.CancelCall(a % 2 == 0 ? AGENT : OPERATOR, null));
      case EDIT -> edit(call);
      case TAKE -> call.take(a % 2 == 0 ? AGENT : WORKER, b % 3 == 0 ? null : "key-" + b % 2);
      case RESOLVE -> call.resolve(a % 2 == 0);
      case ACKNOWLEDGE ->
          call.run(new HeldCallCommand.AcknowledgeDelivery(AGENT, OutcomeJson.deliveryId(facts)));
      case ANNOUNCE -> call.run(new HeldCallCommand.AnnounceChild("hc_child" + a % 2));
      case SETTLE_CHILD -> settle(call, "hc_child" + a % 2, true);
      case SETTLE_DEPENDENCY -> settle(call, "hc_dep" + a % 2, false);
      case TICK -> call.tick();
      case RESTART -> call.restart();
      case REPORT, ANSWER, FAIL, NO_EFFECT, LOSE_ANSWER, READ_BACK -> report(call);
      case KERNEL -> call.run(kernelCommand(facts));
    }
  }

  private static <T> T of(List<T> choices, int index) {
    return choices.get(Math.floorMod(index, choices.size()));
  }

  private dev.heldcall.kernel.call.Proposal proposal() {
    return LiveCall.proposal(
        of(TOOLS, a),
        json("{'amount': " + b % 3 + "}"),
        b % 4 == 0 ? List.of("hc_dep0", "hc_dep1") : List.of(),
        b % 5 == 0
            ? new Preferences(
                120L,
                Preferences.NONE.onDisconnect(),
                "human",
                List.of(),
                Preferences.NONE.transform(),
                Preferences.NONE.disclosure(),
                Preferences.NONE.resume())
            : Preferences.NONE);
  }

  private void blur(LiveCall call) {
    PolicyInForce known = call.context().policy();
    call.policy(
        known == null
            ? CoreFixtures.inForce(of(POLICIES, a), call.epoch())
            : switch (Math.floorMod(b, 3)) {
              case 0 -> null;
              case 1 ->
                  new PolicyInForce(
                      known.layers(),
                      known.epoch(),
                      false,
                      true,
                      known.capabilitiesNow(),
                      known.roster(),
                      KeyStandings.ALL_STAND);
              default ->
                  new PolicyInForce(
                      known.layers(),
                      known.epoch(),
                      true,
                      false,
                      known.capabilitiesNow(),
                      known.roster(),
                      KeyStandings.ALL_STAND);
            });
  }

  private static void loseCapability(LiveCall call) {
    PolicyInForce known = call.context().policy();
    if (known != null) {
      call.policy(
          new PolicyInForce(
              known.layers(),
              known.epoch(),
              true,
              true,
              ref -> new TreeSet<>(),
              known.roster(),
              KeyStandings.ALL_STAND));
    }
  }

  private void attest(LiveCall call, AttestationDecision decision) {
    Principal witness = of(WITNESSES, a);
    Attestation given = call.attestation(witness, decision);
    call.attest(witness, b % 3 == 0 ? shortlived(given) : given);
  }

  private static Attestation shortlived(Attestation given) {
    return rebound(given, given.generation(), given.issuedAt().plusSeconds(30));
  }

  private static Attestation rebound(
      Attestation given, int generation, java.time.Instant expiresAt) {
    return new Attestation(
        given.attestationId(),
        generation,
        given.callDigest(),
        given.contractDigest(),
        given.witnessClass(),
        given.decision(),
        given.reason(),
        given.evidence(),
        given.issuedAt(),
        expiresAt,
        given.signature());
  }

  private void repeat(LiveCall call) {
    List<dev.heldcall.kernel.call.Evidence> known = List.copyOf(call.facts().evidence().values());
    if (!known.isEmpty()) {
      Attestation given = of(known, a).attestation();
      call.attest(of(WITNESSES, b), b % 3 == 0 ? shortlived(given) : given);
    }
  }

  private void stale(LiveCall call) {
    Principal witness = of(WITNESSES, a);
    Attestation given = call.attestation(witness, AttestationDecision.APPROVE);
    call.attest(witness, rebound(given, given.generation() + 1, given.expiresAt()));
  }

  private void revoke(LiveCall call) {
    List<dev.heldcall.kernel.call.Evidence> known = List.copyOf(call.facts().evidence().values());
    if (!known.isEmpty()) {
      call.run(
          new HeldCallCommand.RevokeAttestation(
              b % 2 == 0 ? OPERATOR : of(WITNESSES, b),
              of(known, a).attestation().attestationId(),
              null));
    }
  }

  private void edit(LiveCall call) {
    int generation = call.facts().requireGeneration().number();
    call.run(
        new HeldCallCommand.EditCall(
            AGENT,
            b % 5 == 0 ? generation + 1 : generation,
            a % 3 == 0 ? of(TOOLS, b) : null,
            JsonNodeFactory.instance.objectNode().put("amount", b)));
  }

  private void settle(LiveCall call, String heldId, boolean child) {
    DependencyState state =
        switch (b % 6) {
          case 0 -> DependencyState.REFUSED;
          case 1, 2 -> DependencyState.PENDING;
          default -> DependencyState.SATISFIED;
        };
    Upstream upstream =
        new Upstream(
            a % 4 > 0 ? CoreFixtures.OTHER_DIGEST : call.facts().requireGeneration().callDigest(),
            null);
    call.run(
        new HeldCallCommand.ReportDependency(
            heldId, state, child, "reported", child ? null : upstream));
  }

  /** A report about any lease that there ever was, whatever has been reported of it before. */
  private void report(LiveCall call) {
    List<LeaseRecord> leases = call.facts().leases();
    if (leases.isEmpty()) {
      call.tick();
      return;
    }
    LeaseRecord any = b % 4 == 0 ? of(leases, a) : leases.getLast();
    String id = any.lease().leaseId();
    String content = a % 3 == 0 ? "{}" : "{'id': " + b % 3 + "}";
    call.run(
        switch (kind) {
          case ANSWER -> new HeldCallCommand.ReportDispatch(id, LiveCall.answer(true, content));
          case FAIL -> new HeldCallCommand.ReportDispatch(id, LiveCall.answer(false, content));
          case NO_EFFECT ->
              new HeldCallCommand.ReportDispatch(id, new DispatchReport.NoEffect("refused"));
          case LOSE_ANSWER ->
              new HeldCallCommand.ReportDispatch(id, new DispatchReport.Unknown("cut"));
          case REPORT ->
              new HeldCallCommand.ReportOutcome(
                  a % 4 == 0 ? AGENT : holder(any), id, b % 3 != 0, json(content));
          default -> readBack(call, id, content);
        });
  }

  private static Principal holder(LeaseRecord lease) {
    return lease.lease().holder().equals(WORKER.ref()) ? WORKER : AGENT;
  }

  private HeldCallCommand readBack(LiveCall call, String id, String content) {
    ReadBackReport report =
        switch (Math.floorMod(a, 4)) {
          case 0 -> LiveCall.effectSeen(content);
          case 1 -> new ReadBackReport.CannotTell("500");
          default -> new ReadBackReport.NoEffect();
        };
    if (report instanceof ReadBackReport.CannotTell) {
      call.cannotTell();
    }
    return new HeldCallCommand.ReportReadBack(id, call.now(), report);
  }

  /** A decision of the kernel's own that nothing enabled: the decider's guards must hold. */
  private HeldCallCommand kernelCommand(HeldCallFacts facts) {
    String id = facts.evidence().isEmpty() ? "a-0" : facts.evidence().lastEntry().getKey();
    String lease =
        facts.lastLease() == null
            ? "ls_none"
            : Objects.requireNonNull(facts.lastLease()).lease().leaseId();
    return of(
        List.of(
            new HeldCallCommand.ExpireCall(),
            new HeldCallCommand.ExpireAttestation(id),
            new HeldCallCommand.RevokeWithKey(id),
            new HeldCallCommand.OpenFallback(b % 2),
            new HeldCallCommand.RefuseRefuted(),
            new HeldCallCommand.RefuseDependent(),
            new HeldCallCommand.HonourCancelWish(),
            new HeldCallCommand.GiveUp(),
            new HeldCallCommand.DeclareUnknown(lease, "forced"),
            new HeldCallCommand.RuleAgain(),
            new HeldCallCommand.GrantLease()),
        a);
  }
}
