/** The gateway over real HTTP, in front of a kernel that is a script. */
@NullMarked
package dev.heldcall.gateway.server;

import org.jspecify.annotations.NullMarked;
