/** Tests of a whole node through its façade. */
@NullMarked
package dev.heldcall.kernel.api;

import org.jspecify.annotations.NullMarked;
