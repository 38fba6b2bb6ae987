package dev.heldcall.kernel.witness;

/** What the verifier says of an attestation (HTTP API, section 3). */
public sealed interface Verification {

  /** It counts, from now until it expires or is revoked. */
  record Valid() implements Verification {}

  /**
   * It speaks of a call, generation or contract that is no longer the one that stands.
   *
   * @param reason for a person
   */
  record Stale(String reason) implements Verification {}

  /**
   * It could not count for any call like this one.
   *
   * @param reason for a person
   * @param pointer the field that is at fault, as an RFC 6901 JSON Pointer into the attestation;
   *     empty if the fault is in who gave it
   */
  record Invalid(String reason, String pointer) implements Verification {}
}
