package dev.heldcall.kernel.explore;

import dev.heldcall.plugin.api.Attestation;

/**
 * What a witness has said and the product has accepted, in the explorer's own book.
 *
 * @param attestation as sent
 * @param voice who said it, its index in the scenario
 * @param approves approve, else deny
 * @param generation the generation it was about
 * @param tag the policy that it was given under
 * @param revoked whether it was taken back
 */
record Statement(
    Attestation attestation,
    int voice,
    boolean approves,
    int generation,
    String tag,
    boolean revoked) {

  Statement takenBack() {
    return new Statement(attestation, voice, approves, generation, tag, true);
  }
}
