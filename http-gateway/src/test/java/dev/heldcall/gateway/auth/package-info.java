/** Authentication. */
@NullMarked
package dev.heldcall.gateway.auth;

import org.jspecify.annotations.NullMarked;
