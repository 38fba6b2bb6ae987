/** Tests of the session's graph and its entity. */
@NullMarked
package dev.heldcall.kernel.session;

import org.jspecify.annotations.NullMarked;
