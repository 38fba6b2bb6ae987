/**
 * People who decide in the inbox: whom a request is assigned to, who stands in, who is told. Read
 * {@link dev.heldcall.witness.inbox.Timeline} first: all there is follows from the request, the
 * settings and the time.
 */
@NullMarked
package dev.heldcall.witness.inbox;

import org.jspecify.annotations.NullMarked;
