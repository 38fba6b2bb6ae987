/**
 * The façade of the kernel: all that the gateway sees. Read {@link
 * dev.heldcall.kernel.api.HeldCalls} first.
 */
@NullMarked
package dev.heldcall.kernel.api;

import org.jspecify.annotations.NullMarked;
