/** The command line. */
@NullMarked
package dev.heldcall.gateway.boot;

import org.jspecify.annotations.NullMarked;
