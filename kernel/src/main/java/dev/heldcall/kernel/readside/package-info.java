/**
 * The tables beside the journal: lists of calls, edges, mailboxes, idempotency keys, the issuer's
 * keys, and plain reads of the journal itself. Read {@link dev.heldcall.kernel.readside.CallIndex}
 * first. Methods that write take a connection, so that one transaction can hold several; methods
 * that read take one of the store's.
 *
 * <p>An index is a hint and never an authority: a call's entity decides.
 */
@NullMarked
package dev.heldcall.kernel.readside;

import org.jspecify.annotations.NullMarked;
