/**
 * The HTTP server: connections, bodies, bounds and the one pipeline that every request goes
 * through. Read {@link dev.heldcall.gateway.server.RequestPipeline} first. Only this package knows
 * Pekko HTTP.
 */
@NullMarked
package dev.heldcall.gateway.server;

import org.jspecify.annotations.NullMarked;
