/** Tests of handing a conclusion over. */
@NullMarked
package dev.heldcall.kernel.deliver;

import org.jspecify.annotations.NullMarked;
