package dev.heldcall.kernel.witness;

/**
 * What came of looking at an attestation's signature, before the command that carries it: the core
 * does no cryptography. {@link AttestationVerifier} says what follows from it.
 */
public sealed interface SignatureVerdict {

  /** There is none, or nobody looked at the one there is. */
  record Unsigned() implements SignatureVerdict {}

  /** It is the witness's own, over exactly this attestation on exactly this call. */
  record Verified(SignatureKey key) implements SignatureVerdict {}

  /**
   * It proves nothing.
   *
   * @param reason for a person
   */
  record Failed(String reason) implements SignatureVerdict {}
}
