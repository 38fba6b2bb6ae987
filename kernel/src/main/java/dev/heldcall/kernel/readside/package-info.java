/**
 * The tables beside the journal: lists of calls, edges, mailboxes, idempotency keys, the issuer's
 * keys, and plain reads of the journal itself. Read {@link dev.heldcall.kernel.readside.CallIndex}
 * first. Methods that write take a connection, so that one transaction can hold several; methods
 * that read take one of the store's.
 *
 * <p>What these tables have of calls is written from their facts by {@link
 * dev.heldcall.kernel.readside.ReadSideTables}; {@link dev.heldcall.kernel.readside.ReadSideWriter}
 * says when, and {@link dev.heldcall.kernel.readside.JournalTail} makes good what a crash left out.
 *
 * <p>An index is a hint and never an authority: a call's entity decides.
 */
@NullMarked
package dev.heldcall.kernel.readside;

import org.jspecify.annotations.NullMarked;
