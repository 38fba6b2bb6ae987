package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.WireName;

/** What an attestation is worth now. */
public enum EvidenceState implements WireName {
  /** Being verified. */
  PENDING("pending"),
  /** It counts. */
  VALID("valid"),
  /** It was refused. */
  REJECTED("rejected"),
  /** It was taken back. */
  REVOKED("revoked"),
  /** Its time ran out. */
  EXPIRED("expired"),
  /** It is bound to an older generation or contract. */
  STALE("stale");

  private final String wireName;

  EvidenceState(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }
}
