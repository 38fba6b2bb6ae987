/**
 * The signed statement: an outside service posts an attestation that it has signed. Read {@link
 * dev.heldcall.witness.signed.SignedStatementProvider} first.
 *
 * <p>It verifies no signature itself: the kernel does, with the keys that are registered there.
 */
@NullMarked
package dev.heldcall.witness.signed;

import org.jspecify.annotations.NullMarked;
