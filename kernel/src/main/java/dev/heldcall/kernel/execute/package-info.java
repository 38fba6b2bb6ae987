/**
 * Runs tools: sends a dispatch whose lease is in the journal, classifies what comes back, and asks
 * a tool what came of a dispatch that nobody knows the end of. Read {@link
 * dev.heldcall.kernel.execute.ToolPort} first, then {@link
 * dev.heldcall.kernel.execute.HttpDispatch} for the classification and {@link
 * dev.heldcall.kernel.execute.ToolClient} for what makes "nothing was sent" a proof.
 *
 * <p>Nothing here decides whether a tool may run, and nothing here retries a dispatch. It imports
 * the pure packages, actors, sockets and an HTTP parser; no journal and no database.
 */
@NullMarked
package dev.heldcall.kernel.execute;

import org.jspecify.annotations.NullMarked;
