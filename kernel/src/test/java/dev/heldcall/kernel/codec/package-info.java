/** Tests of what leaves a process. */
@NullMarked
package dev.heldcall.kernel.codec;

import org.jspecify.annotations.NullMarked;
