/** Signatures are made here with real keys, and looked at by the product. */
@NullMarked
package dev.heldcall.kernel.signature;

import org.jspecify.annotations.NullMarked;
