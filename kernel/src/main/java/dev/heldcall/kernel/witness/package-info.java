/**
 * The witness rule — one parser, one canonical text, one JSON form, a three-valued evaluation and
 * an explanation — and the verifier that every attestation passes, whoever brings it. Read {@link
 * dev.heldcall.kernel.witness.RuleEvaluator} first.
 *
 * <p>Pure: it imports the vocabulary and the Jackson tree; no actors, no object mapper, no
 * database, clock, randomness, threads or logging.
 */
@NullMarked
package dev.heldcall.kernel.witness;

import org.jspecify.annotations.NullMarked;
