/**
 * Canonical JSON (RFC 8785), the refusal of what is not I-JSON (RFC 7493), and the digests and
 * identities made of them. Read {@link dev.heldcall.kernel.digest.Digests} first.
 *
 * <p>Pure: it imports the vocabulary, the Jackson tree and the number formatting of the
 * canonicalization library; no actors, no object mapper, no database, clock, randomness, threads or
 * logging.
 */
@NullMarked
package dev.heldcall.kernel.digest;

import org.jspecify.annotations.NullMarked;
