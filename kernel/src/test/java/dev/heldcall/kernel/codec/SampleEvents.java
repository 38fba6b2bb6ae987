package dev.heldcall.kernel.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.EventMeta;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.OutcomeSource;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Resolution;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.call.ToolTraits;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.policybook.PolicyBookEvent;
import dev.heldcall.kernel.session.SessionEvent;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One event of each journal type with every field set, and the same where fields may be absent with
 * none of these set. Written out by hand: nothing that decides or digests may change them.
 */
final class SampleEvents {

  static final Instant AT = Instant.parse("2026-03-01T12:00:00.123Z");
  static final EventMeta META = new EventMeta("ev-7", AT, "agent-1");
  static final PrincipalRef ALICE = new PrincipalRef("acme", "default", "alice");
  static final PrincipalRef BOSS = new PrincipalRef("acme", "default", "boss");
  static final JsonNode TREE =
      json(
          """
          {"amount":125000,"big":9007199254740991,"rate":0.5,"tiny":1e-7,
           "text":"€ \\"quoted\\"","none":null,"list":[1,[],{}],"yes":true}
          """);

  private static final String HELD = "hc_abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst";
  private static final PrincipalRef AGENT = new PrincipalRef("acme", "default", "agent-1");

  private SampleEvents() {}

  /** Reads JSON and makes it canonical, as everything that is written has been made. */
  static JsonNode json(String text) {
    try {
      return CanonicalJson.canonical(new JsonMapper().readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static Digest digest(char of) {
    return new Digest("sha256:" + String.valueOf(of).repeat(64));
  }

  /** One of each type. */
  static List<Object> full() {
    return List.of(
        new HeldCallEvent.CallProposed(META, spec(), generation()),
        new HeldCallEvent.CallRuled(META, ruling(), AT.plusSeconds(600), true),
        new HeldCallEvent.AttestationAccepted(META, attestation(), ALICE, null, BOSS),
        new HeldCallEvent.AttestationRefused(META, 3, "a-2", ALICE, "stale", "generation 2 stands"),
        new HeldCallEvent.AttestationRevoked(META, "a-1", ALICE, "by mistake"),
        new HeldCallEvent.RevocationCameLate(META, "a-1", ALICE, "by mistake"),
        new HeldCallEvent.AttestationExpired(META, "a-1"),
        new HeldCallEvent.AttestationKeyRevoked(META, "a-1", "2026-03"),
        new HeldCallEvent.FallbackOpened(META, 2, 1),
        new HeldCallEvent.CallEdited(META, generation()),
        new HeldCallEvent.CallCancelled(META, "agent-1", "no longer wanted"),
        new HeldCallEvent.CancelRequested(META, "agent-1", "no longer wanted"),
        new HeldCallEvent.CallExpired(META),
        new HeldCallEvent.CallDenied(META, "policy", "too much"),
        new HeldCallEvent.LeaseGranted(META, lease()),
        new HeldCallEvent.LeaseEndedWithoutEffect(META, "ls_1", "connection refused"),
        new HeldCallEvent.OutcomeBecameUnknown(META, "ls_1", "no answer by the deadline"),
        new HeldCallEvent.OutcomeRecorded(
            META, "ls_1", true, digest('4'), 5_000_000_000L, true, OutcomeSource.READ_BACK, "200"),
        new HeldCallEvent.ResultAdmitted(META, TREE),
        new HeldCallEvent.ResultQuarantined(META, TREE, List.of("over 64 bytes", "no id")),
        new HeldCallEvent.LateEffectReported(META, "ls_1", "200"),
        new HeldCallEvent.OutcomeResolved(
            META, new Resolution(ALICE, true, digest('5'), TREE, AT.plusSeconds(1))),
        new HeldCallEvent.DeliveryAcknowledged(META, HELD + ".2"),
        new HeldCallEvent.UpstreamSeen(META, HELD, new Upstream(digest('7'), digest('8'))),
        new HeldCallEvent.DependencySettled(META, HELD, DependencyState.SATISFIED, "succeeded"),
        new HeldCallEvent.ChildAnnounced(META, HELD),
        new HeldCallEvent.ChildSettled(META, HELD, "concluded"),
        new PolicyBookEvent.FloorAdopted(4, digest('6'), AT),
        new PolicyBookEvent.DocumentAdopted(5, document(), HELD, "key-1", digest('7'), AT),
        new SessionEvent.CallLinked(HELD, List.of("hc_b", "hc_a"), "hc_parent", AT));
  }

  /** Those of them that have fields to leave out, without these fields. */
  static List<Object> sparse() {
    CallSpec spec = spec();
    Principal proposer =
        new Principal(
            "agent-1", "acme", "default", Set.of(), new TreeSet<>(), new TreeSet<>(), null, null);
    return List.of(
        new HeldCallEvent.CallProposed(
            META,
            new CallSpec(
                spec.heldId(),
                proposer,
                "s-1",
                "t-1",
                "c-1",
                Boundary.PLAN,
                null,
                List.of(),
                null,
                "s-1",
                Preferences.NONE,
                digest('1'),
                digest('2'),
                AT),
            new Generation(1, "plan", NullNode.getInstance(), digest('a'), digest('b'), null, AT)),
        new HeldCallEvent.CallRuled(
            META,
            new Ruling(
                1,
                VerdictKind.ALLOW,
                null,
                null,
                List.of(),
                digest('e'),
                3,
                null,
                new ToolTraits(ExecutorKind.KERNEL, true, true),
                AT),
            null,
            false),
        new HeldCallEvent.CallRuled(META, redacted(), null, true),
        new HeldCallEvent.AttestationAccepted(
            META,
            new Attestation(
                "a-1",
                1,
                digest('b'),
                digest('d'),
                "human",
                AttestationDecision.DENY,
                null,
                null,
                AT,
                AT.plusSeconds(60),
                null),
            ALICE,
            null,
            null),
        // absent in what was written before there were signatures, so not in the golden file
        new HeldCallEvent.AttestationAccepted(
            META, attestation(), ALICE, new SignatureKey("2026-03", "thumb"), null),
        new HeldCallEvent.AttestationRefused(META, 1, null, ALICE, "forbidden", "no witness"),
        new HeldCallEvent.AttestationRevoked(META, "a-1", ALICE, null),
        new HeldCallEvent.CallCancelled(META, "agent-1", null),
        new HeldCallEvent.ResultAdmitted(META, NullNode.getInstance()),
        new HeldCallEvent.OutcomeResolved(
            META, new Resolution(ALICE, false, null, NullNode.getInstance(), AT)),
        new PolicyBookEvent.DocumentAdopted(1, document(), "configuration", null, null, AT),
        new SessionEvent.CallLinked(HELD, List.of(), null, AT));
  }

  private static CallSpec spec() {
    return new CallSpec(
        HELD,
        new Principal(
            "agent-1",
            "acme",
            "default",
            Set.of(Role.AGENT),
            new TreeSet<>(Set.of("peer-model")),
            new TreeSet<>(Set.of("payments.write", "notes.write")),
            "carol",
            "family-1"),
        "s-1",
        "t-1",
        "c-1",
        Boundary.TOOL,
        "ckpt://s-1/7",
        List.of("hc_b", "hc_a"),
        "hc_parent",
        "root-1",
        new Preferences(
            600L,
            Preferences.OnDisconnect.CANCEL,
            "human",
            List.of("team"),
            Preferences.TransformPosture.FORBID,
            Disclosure.SUMMARY,
            Preferences.Resume.INBOX),
        digest('1'),
        digest('2'),
        AT);
  }

  private static Generation generation() {
    return new Generation(2, "money_transfer", TREE, digest('a'), digest('b'), AGENT, AT);
  }

  private static Ruling ruling() {
    Contract contract =
        new Contract(
            "fallback(ci, 10m, quorum(2, human, deny 2))",
            new TreeSet<>(Set.of("compliance", "legal")),
            new TreeSet<>(Set.of(Independence.DISTINCT_IDENTITIES)),
            OnRefuted.HOLD,
            3_600,
            true);
    return new Ruling(
        2,
        VerdictKind.REQUIRE_WITNESS,
        contract,
        digest('d'),
        List.of(new Ruling.Reason("floor", "large", "over the limit")),
        digest('e'),
        12,
        digest('f'),
        new ToolTraits(ExecutorKind.HTTP, true, false),
        AT);
  }

  /** What others see was not yet there in the first release. */
  private static Ruling redacted() {
    Ruling plain = ruling();
    return new Ruling(
        plain.generation(),
        plain.verdict(),
        plain.contract(),
        plain.contractDigest(),
        plain.reasons(),
        plain.policyVersion(),
        plain.epoch(),
        plain.toolDigest(),
        plain.traits(),
        plain.at(),
        new DisclosureRule(
            Disclosure.SUMMARY, new TreeSet<>(Set.of("/card_number", "/items/*/iban"))));
  }

  private static Attestation attestation() {
    return new Attestation(
        "a-1",
        2,
        digest('b'),
        digest('d'),
        "human",
        AttestationDecision.APPROVE,
        "checked the invoice",
        json("{\"type\":\"invoice\",\"uri\":\"https://example.org/1\"}"),
        AT,
        AT.plusSeconds(3_600),
        json("{\"alg\":\"EdDSA\"}"));
  }

  private static Lease lease() {
    return new Lease(
        "ls_1",
        HELD,
        new FencingToken(2, 3),
        ExecutorKind.CLIENT,
        AGENT,
        "worker-1",
        "key-1",
        digest('b'),
        digest('2'),
        digest('e'),
        12,
        digest('f'),
        HELD + ".2",
        AT,
        AT.plusSeconds(5),
        AT.plusSeconds(15),
        AT.minusSeconds(60));
  }

  private static JsonNode document() {
    return json(
        "{\"rules\":[{\"id\":\"r\",\"tools\":[\"*\"],\"verdict\":\"DENY\"}],\"default\":\"DEFER\"}");
  }
}
