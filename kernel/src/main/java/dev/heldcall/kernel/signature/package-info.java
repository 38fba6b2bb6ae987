/**
 * Looks at signatures before the core hears of them: keys, key sets at addresses, JWS and DSSE
 * envelopes, and whether they bind an attestation to its call. Read {@link
 * dev.heldcall.kernel.signature.AttestationSignatures} first.
 *
 * <p>The mathematics is the platform's; keys are read by Nimbus. It knows neither actors nor
 * tables.
 */
@NullMarked
package dev.heldcall.kernel.signature;

import org.jspecify.annotations.NullMarked;
