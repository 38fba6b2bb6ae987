package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;

/**
 * An attestation that counts: valid, unexpired, unrevoked, for the current generation, from an
 * independent identity. Whoever evaluates a rule has left out all others.
 *
 * @param attestationId the attestation it comes from
 * @param identity who gave it
 * @param witnessClass the class it was given under
 * @param decision approve or deny
 */
public record Vote(
    String attestationId,
    PrincipalRef identity,
    String witnessClass,
    AttestationDecision decision) {}
