/** Tests of the read side's tables, on both databases. */
@NullMarked
package dev.heldcall.kernel.readside;

import org.jspecify.annotations.NullMarked;
