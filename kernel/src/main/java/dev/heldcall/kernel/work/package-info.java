/**
 * What work is enabled now: the reconciler compares what should be with what is, and the loop takes
 * it to a fixed point. Read {@link dev.heldcall.kernel.work.HeldCallReconciler} first. Pure.
 */
@NullMarked
package dev.heldcall.kernel.work;

import org.jspecify.annotations.NullMarked;
