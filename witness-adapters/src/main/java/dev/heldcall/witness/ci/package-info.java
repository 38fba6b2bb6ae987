/**
 * Attests what a forge says of a commit's checks: read {@link
 * dev.heldcall.witness.ci.CiChecksProvider} first, and {@link
 * dev.heldcall.witness.ci.ChecksVerdict} for what counts.
 */
@NullMarked
package dev.heldcall.witness.ci;

import org.jspecify.annotations.NullMarked;
