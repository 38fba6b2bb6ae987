/** Tests of the store, and the databases that other modules test on. */
@NullMarked
package dev.heldcall.kernel.store;

import org.jspecify.annotations.NullMarked;
