/**
 * Microbenchmarks of the core's hot functions (JMH): {@code ./heldcall bench micro}. Each works on
 * one undisturbed held call.
 */
@NullMarked
package dev.heldcall.kernel.micro;

import org.jspecify.annotations.NullMarked;
