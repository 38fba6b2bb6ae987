/** Who is speaking. Read {@link dev.heldcall.gateway.auth.TokenAuthenticator} first. */
@NullMarked
package dev.heldcall.gateway.auth;

import org.jspecify.annotations.NullMarked;
