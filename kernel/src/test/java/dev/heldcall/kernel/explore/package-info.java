/** The explorer. */
@NullMarked
package dev.heldcall.kernel.explore;

import org.jspecify.annotations.NullMarked;
