/**
 * The session: which of its calls waits for which. Read {@link
 * dev.heldcall.kernel.session.SessionGraph} first, which is pure; {@link
 * dev.heldcall.kernel.session.SessionEntity} adds its edges one at a time.
 */
@NullMarked
package dev.heldcall.kernel.session;

import org.jspecify.annotations.NullMarked;
