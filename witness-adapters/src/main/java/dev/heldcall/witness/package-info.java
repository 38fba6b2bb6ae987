/**
 * Witness providers for the outside, one package a provider: each brings evidence to the kernel's
 * own verifier, and none decides anything.
 */
@NullMarked
package dev.heldcall.witness;

import org.jspecify.annotations.NullMarked;
