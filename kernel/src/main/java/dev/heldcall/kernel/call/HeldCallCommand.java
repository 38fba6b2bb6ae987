package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What can be asked of a held call, by a client, by time, or by one of its own workers. */
public sealed interface HeldCallCommand {

  /**
   * Propose the call.
   *
   * @param rootSession the session whose dependency graph it is part of
   * @param upstream what the calls it depends on were when it was proposed
   */
  record ProposeCall(
      Principal proposer,
      Proposal proposal,
      String rootSession,
      Digest pluginSetDigest,
      Map<String, Upstream> upstream)
      implements HeldCallCommand {
    public ProposeCall {
      upstream = Map.copyOf(upstream);
    }

    /** Of a call that depends on none. */
    public ProposeCall(
        Principal proposer, Proposal proposal, String rootSession, Digest pluginSetDigest) {
      this(proposer, proposal, rootSession, pluginSetDigest, Map.of());
    }
  }

  /**
   * Take an attestation.
   *
   * @param signature what came of looking at its signature; absent in a message of an older node
   */
  record Attest(Principal witness, Attestation attestation, SignatureVerdict signature)
      implements HeldCallCommand {
    public Attest {
      signature = Objects.requireNonNullElseGet(signature, SignatureVerdict.Unsigned::new);
    }

    /** One whose signature, if it has any, nobody looked at. */
    public Attest(Principal witness, Attestation attestation) {
      this(witness, attestation, new SignatureVerdict.Unsigned());
    }
  }

  /**
   * Put a refused attestation on record.
   *
   * @param forbidden whether the principal may not attest at all
   */
  record RefuseAttestation(
      Principal witness,
      @Nullable String attestationId,
      boolean forbidden,
      String reason,
      List<Rejection.FieldError> errors)
      implements HeldCallCommand {
    public RefuseAttestation {
      errors = List.copyOf(errors);
    }
  }

  /** Take an attestation back. */
  record RevokeAttestation(Principal by, String attestationId, @Nullable String reason)
      implements HeldCallCommand {}

  /** Cancel the call. */
  record CancelCall(Principal by, @Nullable String reason) implements HeldCallCommand {}

  /** Make the next generation. */
  record EditCall(Principal by, int generation, @Nullable String tool, @Nullable JsonNode args)
      implements HeldCallCommand {}

  /** Take the lease of a call that its client runs. */
  record TakeLease(
      Principal by, int generation, @Nullable String worker, @Nullable String requestKey)
      implements HeldCallCommand {}

  /** Report the outcome under a client lease. */
  record ReportOutcome(Principal by, String leaseId, boolean succeeded, JsonNode content)
      implements HeldCallCommand {}

  /** Close an unknown outcome. */
  record ResolveOutcome(Principal by, boolean effect, @Nullable JsonNode content, JsonNode evidence)
      implements HeldCallCommand {}

  /** Acknowledge the delivery. */
  record AcknowledgeDelivery(Principal by, String deliveryId) implements HeldCallCommand {}

  /** A nested call announces itself. */
  record AnnounceChild(String childHeldId) implements HeldCallCommand {}

  /**
   * The call that this one serves has ended.
   *
   * @param how how it ended
   */
  record EndWithParent(String parentHeldId, String how) implements HeldCallCommand {}

  /** Look at what time and policy have changed. */
  record Tick() implements HeldCallCommand {}

  /** An executor reports what came of a dispatch. */
  record ReportDispatch(String leaseId, DispatchReport report) implements HeldCallCommand {}

  /**
   * A read-back reports what it saw.
   *
   * @param askedAt when it was asked: a "no effect" counts by that moment, not by its arrival
   */
  record ReportReadBack(String leaseId, java.time.Instant askedAt, ReadBackReport report)
      implements HeldCallCommand {}

  /**
   * A call that this one waits for reports how it stands.
   *
   * @param upstream what it is now, or null if that was not said
   */
  record ReportDependency(
      String heldId,
      DependencyState state,
      boolean child,
      String detail,
      @Nullable Upstream upstream)
      implements HeldCallCommand {

    /** Without saying what it is. */
    public ReportDependency(String heldId, DependencyState state, boolean child, String detail) {
      this(heldId, state, child, detail, null);
    }
  }

  /** What the kernel decides by itself when the reconciler finds it enabled. */
  sealed interface KernelCommand extends HeldCallCommand {}

  /** The call's time has run out. */
  record ExpireCall() implements KernelCommand {}

  /** An attestation's time has run out. */
  record ExpireAttestation(String attestationId) implements KernelCommand {}

  /** The key that an attestation was signed with was revoked. */
  record RevokeWithKey(String attestationId) implements KernelCommand {}

  /** A fallback's time has come. */
  record OpenFallback(int index) implements KernelCommand {}

  /** The rule cannot become true any more, and the contract says deny. */
  record RefuseRefuted() implements KernelCommand {}

  /** A call that this one depends on was refused or failed. */
  record RefuseDependent() implements KernelCommand {}

  /** A wish to cancel, now that the dispatch is proven to have had no effect. */
  record HonourCancelWish() implements KernelCommand {}

  /** Every permitted dispatch was proven to have had no effect. */
  record GiveUp() implements KernelCommand {}

  /** A lease came to its deadline, or to a restart, without an outcome. */
  record DeclareUnknown(String leaseId, String reason) implements KernelCommand {}

  /** Policy has moved on since the ruling: rule again. */
  record RuleAgain() implements KernelCommand {}

  /** Everything is ready: check all once more and grant the lease. */
  record GrantLease() implements KernelCommand {}
}
