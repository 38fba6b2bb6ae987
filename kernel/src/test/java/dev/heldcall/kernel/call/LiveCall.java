package dev.heldcall.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallCommand.Attest;
import dev.heldcall.kernel.call.HeldCallCommand.ReportDispatch;
import dev.heldcall.kernel.call.HeldCallCommand.ReportReadBack;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.kernel.work.HeldCallLoop;
import dev.heldcall.kernel.work.LoopResult;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One held call under test: its facts, its journal, a clock that is set by hand, the policy in
 * force, and the executors that run. Every turn goes through the loop, and every invariant is
 * checked after it.
 */
public final class LiveCall {

  private final List<HeldCallEvent> journal = new ArrayList<>();
  private final Set<String> running = new HashSet<>();
  private final Set<String> cannotTell = new HashSet<>();
  private HeldCallFacts facts = HeldCallFacts.NONE;
  private Instant now = CoreFixtures.START;
  private final Map<String, KeyStanding> keys = new HashMap<>();
  private @Nullable PolicyInForce policy;
  private long epoch = 1;
  private int attestations;

  private LiveCall(PolicyLayers layers) {
    policy = CoreFixtures.inForce(layers, epoch);
  }

  /** A call under the policy, not proposed yet. */
  public static LiveCall under(PolicyLayers layers) {
    return new LiveCall(layers);
  }

  /** A call of the tool, proposed by {@code AGENT} under the policy. */
  public static LiveCall proposed(PolicyLayers layers, String tool) {
    LiveCall call = under(layers);
    call.run(propose(proposal(tool)));
    return call;
  }

  public static Proposal proposal(String tool) {
    return proposal(tool, CoreFixtures.json("{'amount': 125000}"), List.of(), Preferences.NONE);
  }

  public static Proposal proposal(
      String tool, JsonNode args, List<String> dependsOn, Preferences preferences) {
    return new Proposal(
        "s-1", "t-1", "c-1", Boundary.TOOL, tool, args, "ckpt", dependsOn, null, preferences);
  }

  public static HeldCallCommand.ProposeCall propose(Proposal proposal) {
    return propose(CoreFixtures.AGENT, proposal);
  }

  public static HeldCallCommand.ProposeCall propose(Principal proposer, Proposal proposal) {
    return new HeldCallCommand.ProposeCall(proposer, proposal, "s-1", CoreFixtures.PLUGINS);
  }

  /** Takes one turn and keeps what came of it. */
  public LoopResult run(HeldCallCommand command) {
    CallContext context = context();
    LoopResult result = HeldCallLoop.run(facts, command, context);
    assertThat(result.overBound()).as("a fixed point is reached").isFalse();
    assertThat(Invariants.violations(facts, result.events(), result.facts(), context))
        .as("invariants after %s in %s", command, kinds(result.events()))
        .isEmpty();
    facts = result.facts();
    journal.addAll(result.events());
    for (HeldCallEvent event : result.events()) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        running.add(granted.lease().leaseId());
      }
    }
    return result;
  }

  /** What the decider alone says, with nothing kept. */
  public Decision decide(HeldCallCommand command) {
    return HeldCallDecider.decide(facts, command, context());
  }

  public LoopResult tick() {
    return run(new HeldCallCommand.Tick());
  }

  public LoopResult approve(Principal witness) {
    return run(new Attest(witness, attestation(witness, AttestationDecision.APPROVE)));
  }

  public LoopResult deny(Principal witness) {
    return run(new Attest(witness, attestation(witness, AttestationDecision.DENY)));
  }

  public LoopResult attest(Principal witness, Attestation attestation) {
    return run(new Attest(witness, attestation));
  }

  /** An attestation with a new id, bound to the call as it stands, good for an hour. */
  public Attestation attestation(Principal witness, AttestationDecision decision) {
    attestations++;
    return attestation("a-" + attestations, witness, decision);
  }

  /** An attestation bound to the call as it stands, good for an hour. */
  public Attestation attestation(String id, Principal witness, AttestationDecision decision) {
    Generation generation = facts.requireGeneration();
    Digest contract = contractDigest();
    return new Attestation(
        id,
        generation.number(),
        generation.callDigest(),
        contract == null ? CoreFixtures.OTHER_DIGEST : contract,
        witness.witnessClasses().isEmpty() ? "human" : witness.witnessClasses().first(),
        decision,
        "because",
        null,
        now,
        now.plus(Duration.ofHours(1)),
        null);
  }

  public LoopResult edit(String args) {
    return run(edit(CoreFixtures.AGENT, facts.requireGeneration().number(), args));
  }

  static HeldCallCommand.EditCall edit(Principal by, int generation, String args) {
    return new HeldCallCommand.EditCall(by, generation, null, CoreFixtures.json(args));
  }

  public LoopResult cancel() {
    return run(new HeldCallCommand.CancelCall(CoreFixtures.AGENT, "no longer wanted"));
  }

  public LoopResult answered(String content) {
    return run(new ReportDispatch(lease().leaseId(), answer(true, content)));
  }

  public LoopResult failed(String content) {
    return run(new ReportDispatch(lease().leaseId(), answer(false, content)));
  }

  public LoopResult noEffect() {
    return run(
        new ReportDispatch(lease().leaseId(), new DispatchReport.NoEffect("connection refused")));
  }

  public LoopResult unknown() {
    return run(new ReportDispatch(lease().leaseId(), new DispatchReport.Unknown("timed out")));
  }

  public LoopResult readBack(ReadBackReport report) {
    return run(new ReportReadBack(lease().leaseId(), now, report));
  }

  public LoopResult take(Principal by, @Nullable String requestKey) {
    return run(
        new HeldCallCommand.TakeLease(
            by, facts.requireGeneration().number(), "worker", requestKey));
  }

  public LoopResult resolve(boolean effect) {
    return run(resolution(CoreFixtures.OPERATOR, effect));
  }

  static HeldCallCommand.ResolveOutcome resolution(Principal by, boolean effect) {
    return new HeldCallCommand.ResolveOutcome(
        by,
        effect,
        effect ? CoreFixtures.json("{'id': 7}") : null,
        CoreFixtures.json("{'ticket': 'T-1'}"));
  }

  public LoopResult acknowledge() {
    return run(
        new HeldCallCommand.AcknowledgeDelivery(CoreFixtures.AGENT, OutcomeJson.deliveryId(facts)));
  }

  public static DispatchReport.Answered answer(boolean succeeded, String content) {
    JsonNode tree = CoreFixtures.json(content);
    byte[] bytes = CanonicalJson.text(tree).getBytes(StandardCharsets.UTF_8);
    return new DispatchReport.Answered(
        succeeded, tree, Digests.sha256(bytes), bytes.length, false, succeeded ? "200" : "400");
  }

  public static ReadBackReport.Effect effectSeen(String content) {
    DispatchReport.Answered same = answer(true, content);
    return new ReadBackReport.Effect(
        same.content(), same.contentDigest(), same.contentBytes(), false);
  }

  public LiveCall advance(Duration by) {
    now = now.plus(by);
    return this;
  }

  public LiveCall at(Instant instant) {
    now = instant;
    return this;
  }

  /** Puts another policy in force as a new epoch. */
  public LiveCall adopt(PolicyLayers layers) {
    epoch++;
    policy = CoreFixtures.inForce(layers, epoch);
    return this;
  }

  public LiveCall policy(@Nullable PolicyInForce other) {
    policy = other;
    return this;
  }

  /** The process dies: no executor runs, and what read-backs said is forgotten. */
  public LiveCall restart() {
    running.clear();
    cannotTell.clear();
    facts = HeldCallReducer.reduceAll(HeldCallFacts.NONE, journal);
    return this;
  }

  public LiveCall cannotTell() {
    cannotTell.add(lease().leaseId());
    return this;
  }

  /** From now on the key with the id stands so; a key that nothing is said of stands. */
  public LiveCall key(String keyId, KeyStanding standing) {
    keys.put(keyId, standing);
    return this;
  }

  /** An attestation with a signature that was verified with the key. */
  public LoopResult attestSigned(Principal witness, AttestationDecision decision, String keyId) {
    return run(signed(witness, attestation(witness, decision), keyId));
  }

  static Attest signed(Principal witness, Attestation given, String keyId) {
    Attestation signed =
        new Attestation(
            given.attestationId(),
            given.generation(),
            given.callDigest(),
            given.contractDigest(),
            given.witnessClass(),
            given.decision(),
            given.reason(),
            given.evidence(),
            given.issuedAt(),
            given.expiresAt(),
            CoreFixtures.json("{'jws': 'by " + keyId + "'}"));
    return new Attest(
        witness, signed, new SignatureVerdict.Verified(new SignatureKey(keyId, "thumb")));
  }

  private @Nullable PolicyInForce policyWithKeys() {
    PolicyInForce known = policy;
    if (known == null) {
      return null;
    }
    Map<String, KeyStanding> standing = Map.copyOf(keys);
    return new PolicyInForce(
        known.layers(),
        known.epoch(),
        known.fresh(),
        known.floorAgreed(),
        known.capabilitiesNow(),
        known.roster(),
        (owner, key) -> standing.getOrDefault(key.keyId(), KeyStanding.STANDS));
  }

  public CallContext context() {
    return new CallContext(
        now, policyWithKeys(), LeaseRules.Terms.DEFAULT, running, cannotTell, 200);
  }

  public HeldCallFacts facts() {
    return facts;
  }

  public Instant now() {
    return now;
  }

  public long epoch() {
    return epoch;
  }

  public Ruling ruling() {
    return Objects.requireNonNull(facts.ruling());
  }

  public @Nullable Digest contractDigest() {
    Ruling ruling = facts.ruling();
    return ruling == null ? null : ruling.contractDigest();
  }

  /** The newest lease. */
  public Lease lease() {
    return Objects.requireNonNull(facts.lastLease()).lease();
  }

  public CallOutcome outcome() {
    return Objects.requireNonNull(facts.outcome());
  }

  public CallEnd end() {
    return Objects.requireNonNull(facts.end());
  }

  public Evidence evidence(String id) {
    return Objects.requireNonNull(facts.evidence().get(id));
  }

  public List<HeldCallEvent> journal() {
    return List.copyOf(journal);
  }

  /** How many leases the journal holds: each stands for at most one dispatch. */
  public long dispatches() {
    return journal.stream().filter(HeldCallEvent.LeaseGranted.class::isInstance).count();
  }

  public HeldCallStatus status() {
    return HeldCallStatus.of(facts, now, CoreFixtures::roster);
  }

  public static List<String> kinds(List<? extends HeldCallEvent> events) {
    return events.stream().map(each -> each.getClass().getSimpleName()).toList();
  }

  /** The slug of the refusal, or the answer's name. */
  public static String said(Answer answer) {
    return switch (answer) {
      case Answer.Refused refused -> refused.rejection().problem().wireName();
      case Answer.Attested attested -> attested.duplicate() ? "duplicate" : "accepted";
      case Answer.Leased leased -> "leased " + leased.lease().token();
      case Answer.Stands stands -> "stands";
      case Answer.FreshPolicyNeeded needed -> "fresh policy needed";
    };
  }
}
