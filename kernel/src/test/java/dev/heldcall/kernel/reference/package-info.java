/**
 * What the design says of evidence, written from its tables a second time and without a line of the
 * product: a rule ({@link dev.heldcall.kernel.reference.Wanted}), and a call over time ({@link
 * dev.heldcall.kernel.reference.ReferenceCall}). Random stories are told to it and to the product,
 * and both must say the same.
 */
@NullMarked
package dev.heldcall.kernel.reference;

import org.jspecify.annotations.NullMarked;
