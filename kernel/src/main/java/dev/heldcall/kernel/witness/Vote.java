package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;

/**
 * An attestation that counts: valid, unexpired, unrevoked, for the current generation, from an
 * independent identity. Whoever evaluates a rule has left out all others.
 *
 * @param attestationId the attestation it comes from
 * @param identity who gave it
 * @param witnessClass the class it was given under
 * @param decision approve or deny
 * @param party whom it counts for: the identity itself, or under distinct identities the one that
 *     stands for it, its delegates and whom it acts for ({@link Parties})
 * @param until from when on it no longer counts
 */
public record Vote(
    String attestationId,
    PrincipalRef identity,
    String witnessClass,
    AttestationDecision decision,
    PrincipalRef party,
    Instant until) {

  /** A vote that counts for who gave it, and for ever. */
  public Vote(
      String attestationId,
      PrincipalRef identity,
      String witnessClass,
      AttestationDecision decision) {
    this(attestationId, identity, witnessClass, decision, identity, Instant.MAX);
  }
}
