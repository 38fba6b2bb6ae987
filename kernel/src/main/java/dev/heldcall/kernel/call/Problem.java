package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** Why a command is refused: the stable slug that a problem's {@code type} ends in. */
public enum Problem implements WireName {
  /** No such call, session item or policy for this principal. */
  NOT_FOUND("not-found"),
  /** The principal may not do this. */
  FORBIDDEN("forbidden"),
  /** The tool is not in the registry. */
  UNKNOWN_TOOL("unknown-tool"),
  /** The arguments break the tool's schema. */
  ARGS_SCHEMA("args-schema"),
  /** A field has a value that is not understood. */
  INVALID_FIELD("invalid-field"),
  /** The call would wait for itself. */
  DEPENDENCY_CYCLE("dependency-cycle"),
  /** The chain of waits would be too long. */
  DEPENDENCY_DEPTH("dependency-depth"),
  /** A dependency is not a call of this principal. */
  UNKNOWN_DEPENDENCY("unknown-dependency"),
  /** Another content was proposed under this identity. */
  CALL_IDENTITY_CONFLICT("call-identity-conflict"),
  /** The Idempotency-Key was used for another identity. */
  IDEMPOTENCY_KEY_REUSE("idempotency-key-reuse"),
  /** Bound to another generation, call or contract than now stands. */
  STALE("stale"),
  /** An attestation that does not verify. */
  INVALID("invalid"),
  /** The attestation id was used for other content. */
  ATTESTATION_CONFLICT("attestation-conflict"),
  /** More refused attestations than are recorded for one call. */
  TOO_MANY_REFUSALS("too-many-refusals"),
  /** The effect was dispatched, or the call ended, before. */
  TOO_LATE("too-late"),
  /** The effect was dispatched: the call cannot be changed any more. */
  EFFECT_DISPATCHED("effect-dispatched"),
  /** The call is not open any more. */
  NOT_OPEN("not-open"),
  /** The call is not ready for a lease. */
  NOT_READY("not-ready"),
  /** Another worker has the lease. */
  LEASED("leased"),
  /** The lease is not the one in force. */
  LEASE_LOST("lease-lost"),
  /** The call's outcome is not unknown, or not yet open to this resolution. */
  NOT_UNKNOWN("not-unknown"),
  /** A no-effect resolution before the lease's deadline and settle time. */
  TOO_EARLY("too-early"),
  /** Another resolution or outcome is on record. */
  RESOLUTION_CONFLICT("resolution-conflict"),
  /** The policy document does not load. */
  POLICY_DOCUMENT("policy-document"),
  /** A bound per session, principal or node is reached. */
  TOO_MANY_CALLS("too-many-calls"),
  /** More witness requests than one principal may have claimed. */
  TOO_MANY_CLAIMS("too-many-claims"),
  /** The journal or the policy cannot be reached now. */
  UNAVAILABLE("unavailable");

  private final String wireName;

  Problem(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
