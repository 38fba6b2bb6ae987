package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One witness's word on exactly one call (API.md, section 3). Nothing in it is defaulted for the
 * witness.
 *
 * @param attestationId the witness's id for it, unique in a call over all generations (rule 15)
 * @param generation the generation of the call that it is about, from 1
 * @param callDigest binds it to the call
 * @param contractDigest binds it to the contract
 * @param witnessClass the class it is given under
 * @param decision approve or deny
 * @param reason the witness's words, or null
 * @param evidence an object of {@code type}, {@code digest}, {@code uri}, or null
 * @param issuedAt when the witness made it
 * @param expiresAt from when on it no longer counts
 * @param signature a signature object, or null
 */
public record Attestation(
    String attestationId,
    int generation,
    Digest callDigest,
    Digest contractDigest,
    String witnessClass,
    AttestationDecision decision,
    @Nullable String reason,
    @Nullable JsonNode evidence,
    Instant issuedAt,
    Instant expiresAt,
    @Nullable JsonNode signature) {

  public Attestation {
    if (attestationId.isEmpty()) {
      throw new IllegalArgumentException("an attestation needs an id");
    }
    if (generation < 1) {
      throw new IllegalArgumentException("generations count from 1");
    }
  }
}
