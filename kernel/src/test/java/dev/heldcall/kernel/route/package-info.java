/** Tests of the ways to witnesses. */
@NullMarked
package dev.heldcall.kernel.route;

import org.jspecify.annotations.NullMarked;
