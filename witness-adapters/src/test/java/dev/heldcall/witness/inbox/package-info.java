/** Tests of the inbox's routing, on a clock that is moved. */
@NullMarked
package dev.heldcall.witness.inbox;

import org.jspecify.annotations.NullMarked;
