package dev.heldcall.gateway.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.Admission;
import dev.heldcall.kernel.call.CallEnd;
import dev.heldcall.kernel.call.CallOutcome;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.LeaseState;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.call.ToolTraits;
import dev.heldcall.kernel.digest.CallIdentity;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A call of agent-1 in any state that a test wants to see rendered. */
final class SampleCall {

  static final Instant NOW = Instant.parse("2030-01-31T12:00:00.123456Z");
  static final String HELD_ID =
      new CallIdentity("acme", "default", "agent-1", "s-1", "t-1", "c-1").heldId();
  static final Principal AGENT =
      new Principal(
          "agent-1",
          "acme",
          "default",
          Set.of(Role.AGENT),
          new TreeSet<>(),
          new TreeSet<>(Set.of("payments.write", "notes.write")),
          null,
          null);
  static final JsonNode ARGS =
      JsonNodeFactory.instance.objectNode().put("to", "acct-2").put("amount_minor", 125_000L);
  static final Digest ZERO = new Digest("sha256:" + "0".repeat(64));

  private VerdictKind verdict = VerdictKind.REQUIRE_WITNESS;
  private Disclosure disclosure = Disclosure.FULL;
  private Lifecycle lifecycle = Lifecycle.OPEN;
  private @Nullable CallEnd end;
  private @Nullable CallEnd wish;
  private @Nullable LeaseState lease;
  private @Nullable CallOutcome outcome;
  private Admission admission = Admission.PENDING;
  private final LinkedHashMap<String, Evidence> evidence = new LinkedHashMap<>();

  static SampleCall held() {
    return new SampleCall();
  }

  SampleCall verdict(VerdictKind kind) {
    verdict = kind;
    return this;
  }

  SampleCall disclosing(Disclosure how) {
    disclosure = how;
    return this;
  }

  SampleCall ended(Lifecycle how, String by, @Nullable String reason) {
    lifecycle = how;
    end = new CallEnd(by, reason, NOW);
    return this;
  }

  SampleCall wished() {
    wish = new CallEnd("agent-1", "changed my mind", NOW);
    return this;
  }

  SampleCall leased(LeaseState state) {
    lease = state;
    return this;
  }

  SampleCall succeeded(JsonNode content) {
    return outcome(true, Admission.ADMITTED, content, List.of());
  }

  SampleCall quarantined() {
    return outcome(true, Admission.QUARANTINED, null, List.of("breaks the result schema"));
  }

  private SampleCall outcome(
      boolean success, Admission how, @Nullable JsonNode content, List<String> reasons) {
    lease = LeaseState.EFFECT;
    admission = how;
    outcome =
        new CallOutcome(
            "l-1",
            success,
            content,
            content == null ? ZERO : Digests.ofCanonical(content),
            false,
            OutcomeSource.ANSWER,
            NOW,
            reasons);
    return this;
  }

  SampleCall attested(int count) {
    for (int i = 1; i <= count; i++) {
      String id = "a-" + i;
      evidence.put(
          id,
          new Evidence(
              new Attestation(
                  id,
                  1,
                  generation().callDigest(),
                  Digests.contract(Contract.of("human")),
                  "human",
                  AttestationDecision.APPROVE,
                  "checked",
                  null,
                  NOW,
                  NOW.plusSeconds(600),
                  null),
              new PrincipalRef("acme", "default", "alice"),
              null,
              NOW,
              EvidenceState.VALID,
              null,
              null));
    }
    return this;
  }

  CallView view() {
    return new CallView(facts(), 4, NOW);
  }

  HeldCallFacts facts() {
    return new HeldCallFacts(
        spec(),
        generation(),
        ruling(),
        false,
        NOW,
        NOW.plusSeconds(600),
        lifecycle,
        end,
        evidence,
        new TreeSet<>(),
        lease == null ? List.of() : List.of(new LeaseRecord(lease(), lease, null)),
        outcome,
        admission,
        Delivery.PENDING,
        wish,
        false,
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeMap<>(),
        new TreeSet<>(),
        0,
        new TreeMap<>(),
        null,
        4,
        NOW);
  }

  private CallSpec spec() {
    Preferences none = Preferences.NONE;
    return new CallSpec(
        HELD_ID,
        AGENT,
        "s-1",
        "t-1",
        "c-1",
        Boundary.TOOL,
        "ckpt://s-1/7",
        List.of(),
        null,
        "s-1",
        new Preferences(
            null,
            none.onDisconnect(),
            null,
            List.of(),
            none.transform(),
            disclosure,
            none.resume()),
        ZERO,
        ZERO,
        NOW);
  }

  private static Generation generation() {
    Digest argsDigest = Digests.ofCanonical(ARGS);
    return new Generation(
        1,
        "money_transfer",
        ARGS,
        argsDigest,
        Digests.call(HELD_ID, 1, Boundary.TOOL, "money_transfer", argsDigest, AGENT.ref()),
        null,
        NOW);
  }

  private Ruling ruling() {
    Contract contract = verdict == VerdictKind.REQUIRE_WITNESS ? Contract.of("human") : null;
    return new Ruling(
        1,
        verdict,
        contract,
        contract == null ? null : Digests.contract(contract),
        List.of(new Ruling.Reason("floor", "transfer-large", "large transfers are witnessed")),
        ZERO,
        3,
        ZERO,
        new ToolTraits(ExecutorKind.CLIENT, false, false),
        NOW);
  }

  Lease lease() {
    return new Lease(
        "l-1",
        HELD_ID,
        new FencingToken(1, 1),
        ExecutorKind.CLIENT,
        AGENT.ref(),
        null,
        null,
        generation().callDigest(),
        ZERO,
        ZERO,
        3,
        ZERO,
        HELD_ID + ".1",
        NOW,
        NOW.plusSeconds(30),
        NOW.plusSeconds(40),
        NOW);
  }
}
