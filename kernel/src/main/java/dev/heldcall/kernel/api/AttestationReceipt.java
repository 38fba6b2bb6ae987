package dev.heldcall.kernel.api;

import org.jspecify.annotations.Nullable;

/**
 * What became of an attestation (API.md, section 3).
 *
 * @param disposition one of the contract's words
 * @param heldId the call
 * @param attestationId the attestation, or null if it had no readable id
 * @param reason a sentence for the witness
 */
public record AttestationReceipt(
    Disposition disposition, String heldId, @Nullable String attestationId, String reason) {

  /** The contract's words. */
  public enum Disposition {
    /** Written down; its worth shows in the call's evidence. */
    ACCEPTED_FOR_VERIFICATION("accepted-for-verification"),
    /** Received before with the same content. */
    DUPLICATE("duplicate"),
    /** Revoked, or revoked before. */
    REVOKED("revoked");

    private final String wireName;

    Disposition(String wireName) {
      this.wireName = wireName;
    }

    /** The spelling on the wire. */
    public String wireName() {
      return wireName;
    }
  }
}
