/**
 * The resources of the HTTP contract, one class each. Read {@link
 * dev.heldcall.gateway.route.Endpoint} and {@link dev.heldcall.gateway.route.ToolCallsResource}
 * first. Nothing here knows the HTTP server: an {@link dev.heldcall.gateway.route.Exchange} comes
 * in, an {@link dev.heldcall.gateway.route.Answer} goes out.
 */
@NullMarked
package dev.heldcall.gateway.route;

import org.jspecify.annotations.NullMarked;
