/** The main class, {@link dev.heldcall.gateway.boot.Main}. */
@NullMarked
package dev.heldcall.gateway.boot;

import org.jspecify.annotations.NullMarked;
