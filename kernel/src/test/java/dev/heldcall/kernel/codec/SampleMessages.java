package dev.heldcall.kernel.codec;

import static dev.heldcall.kernel.codec.SampleEvents.AT;
import static dev.heldcall.kernel.codec.SampleEvents.TREE;
import static dev.heldcall.kernel.codec.SampleEvents.digest;
import static dev.heldcall.kernel.codec.SampleEvents.json;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.LiveCalls;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.policybook.PolicyBookEntity;
import dev.heldcall.kernel.session.SessionEntity;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Messages between nodes, with their absent fields both there and absent. */
final class SampleMessages {

  private static final Principal AGENT = CoreFixtures.AGENT;

  private SampleMessages() {}

  /** At least one of each command. */
  static List<HeldCallCommand> commands() {
    return List.of(
        new HeldCallCommand.ProposeCall(AGENT, proposal("ckpt", "hc_p"), "s-1", digest('2')),
        new HeldCallCommand.ProposeCall(AGENT, proposal(null, null), "s-1", digest('2')),
        new HeldCallCommand.Attest(CoreFixtures.ALICE, attestation()),
        new HeldCallCommand.Attest(
            CoreFixtures.ALICE,
            attestation(),
            new SignatureVerdict.Verified(new SignatureKey("2026-03", "thumb"))),
        new HeldCallCommand.Attest(
            CoreFixtures.ALICE, attestation(), new SignatureVerdict.Failed("no such key")),
        new HeldCallCommand.RefuseAttestation(
            CoreFixtures.ALICE,
            null,
            true,
            "no",
            List.of(new Rejection.FieldError("/generation", "expected a number"))),
        new HeldCallCommand.RevokeAttestation(CoreFixtures.ALICE, "a-1", null),
        new HeldCallCommand.RevokeAttestation(CoreFixtures.ALICE, "a-1", "by mistake"),
        new HeldCallCommand.CancelCall(AGENT, null),
        new HeldCallCommand.EditCall(AGENT, 1, null, null),
        new HeldCallCommand.EditCall(AGENT, 1, "other", TREE),
        new HeldCallCommand.EditCall(AGENT, 1, null, NullNode.getInstance()),
        new HeldCallCommand.TakeLease(AGENT, 1, null, null),
        new HeldCallCommand.TakeLease(AGENT, 1, "w", "key"),
        new HeldCallCommand.ReportOutcome(AGENT, "ls_1", true, NullNode.getInstance()),
        new HeldCallCommand.ReportOutcome(AGENT, "ls_1", false, TREE),
        new HeldCallCommand.ResolveOutcome(CoreFixtures.OPERATOR, false, null, TREE),
        new HeldCallCommand.ResolveOutcome(
            CoreFixtures.OPERATOR, true, NullNode.getInstance(), json("\"seen\"")),
        new HeldCallCommand.AcknowledgeDelivery(AGENT, "hc_a.1"),
        new HeldCallCommand.AnnounceChild("hc_child"),
        new HeldCallCommand.Tick(),
        new HeldCallCommand.ReportDispatch("ls_1", new DispatchReport.NoEffect("refused")),
        new HeldCallCommand.ReportDispatch("ls_1", new DispatchReport.Unknown("cut")),
        new HeldCallCommand.ReportDispatch(
            "ls_1", new DispatchReport.Answered(true, TREE, digest('4'), 1L << 40, true, "200")),
        new HeldCallCommand.ReportReadBack("ls_1", AT, new ReadBackReport.NoEffect()),
        new HeldCallCommand.ReportReadBack("ls_1", AT, new ReadBackReport.CannotTell("503")),
        new HeldCallCommand.ReportReadBack(
            "ls_1", AT, new ReadBackReport.Effect(TREE, digest('4'), 1L << 40, false)),
        new HeldCallCommand.ReportDependency("hc_d", DependencyState.REFUSED, true, "denied"),
        new HeldCallCommand.EndWithParent("hc_p", "cancelled"),
        new HeldCallCommand.ExpireCall(),
        new HeldCallCommand.ExpireAttestation("a-1"),
        new HeldCallCommand.RevokeWithKey("a-1"),
        new HeldCallCommand.OpenFallback(2),
        new HeldCallCommand.RefuseRefuted(),
        new HeldCallCommand.RefuseDependent(),
        new HeldCallCommand.HonourCancelWish(),
        new HeldCallCommand.GiveUp(),
        new HeldCallCommand.DeclareUnknown("ls_1", "nobody will report"),
        new HeldCallCommand.RuleAgain(),
        new HeldCallCommand.GrantLease());
  }

  /** At least one of each answer. */
  static List<Answer> answers() {
    return List.of(
        new Answer.Stands(),
        new Answer.Attested(true),
        new Answer.Leased(LiveCalls.leased("transfer").lease()),
        new Answer.Refused(Rejection.of(Problem.NOT_FOUND, "no such call")),
        new Answer.Refused(
            new Rejection(
                Problem.EFFECT_DISPATCHED,
                "too late",
                List.of(new Rejection.FieldError("/args/a~1b", "expected a number")),
                Execution.OUTCOME_UNKNOWN)),
        new Answer.FreshPolicyNeeded());
  }

  /** Everything that is said to a policy book, and by it. */
  static List<KernelMessage> policyBook(ActorRef<?> anybody) {
    return List.of(
        new PolicyBookEntity.AdoptFloor(digest('1'), true, anybody.unsafeUpcast()),
        new PolicyBookEntity.SeedDocument(TREE, digest('1'), anybody.unsafeUpcast()),
        new PolicyBookEntity.ChangeDocument("k", 1L << 40, TREE, "hc_a", anybody.unsafeUpcast()),
        new PolicyBookEntity.LookUp("k", anybody.unsafeUpcast()),
        new PolicyBookEntity.FloorState(digest('1'), 3),
        new PolicyBookEntity.Seeded(3, true),
        new PolicyBookEntity.Changed(4),
        new PolicyBookEntity.StaleBase(5),
        new PolicyBookEntity.Unusable("organization /rules: expected an array"),
        new PolicyBookEntity.Applied(6),
        new PolicyBookEntity.NotApplied());
  }

  /** Everything that is said to a session, and by it. */
  static List<KernelMessage> session(ActorRef<?> anybody) {
    return List.of(
        new SessionEntity.Link("hc_a", List.of("hc_b"), "hc_p", anybody.unsafeUpcast()),
        new SessionEntity.Link("hc_a", List.of(), null, anybody.unsafeUpcast()),
        new SessionEntity.Linked(),
        new SessionEntity.RefusedCycle(List.of("hc_a", "hc_b", "hc_a")),
        new SessionEntity.RefusedDepth(17),
        new SessionEntity.RefusedBound());
  }

  private static Proposal proposal(@Nullable String continuation, @Nullable String parent) {
    Preferences preferences =
        continuation == null
            ? Preferences.NONE
            : new Preferences(
                600L,
                Preferences.OnDisconnect.CANCEL,
                "quorum(2, human)",
                List.of("team"),
                Preferences.TransformPosture.PREVIEW,
                Disclosure.DIGEST,
                Preferences.Resume.WEBHOOK);
    return new Proposal(
        "s-1",
        "t-1",
        "c-1",
        Boundary.ROUND,
        "gate",
        parent == null ? NullNode.getInstance() : TREE,
        continuation,
        List.of("hc_b", "hc_a"),
        parent,
        preferences);
  }

  private static Attestation attestation() {
    return new Attestation(
        "a-1",
        1,
        digest('b'),
        digest('d'),
        "human",
        AttestationDecision.DENY,
        null,
        TREE,
        AT.plusNanos(456_789),
        AT.plusSeconds(60),
        null);
  }
}
