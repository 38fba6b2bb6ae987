package dev.heldcall.kernel.call;

import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An accepted attestation and what it is worth now.
 *
 * @param attestation as the witness gave it
 * @param witness who gave it, as authentication established
 * @param signedBy the key that its signature was verified with, or null if it has none
 * @param receivedAt when it was accepted
 * @param state what it is worth
 * @param note why it is worth less than it was, or null
 * @param onBehalfOf whom the witness acted for, as authentication established, or null
 */
public record Evidence(
    Attestation attestation,
    PrincipalRef witness,
    @Nullable SignatureKey signedBy,
    Instant receivedAt,
    EvidenceState state,
    @Nullable String note,
    @Nullable PrincipalRef onBehalfOf) {

  Evidence as(EvidenceState newState, String why) {
    return new Evidence(attestation, witness, signedBy, receivedAt, newState, why, onBehalfOf);
  }
}
