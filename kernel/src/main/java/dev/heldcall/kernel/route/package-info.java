/**
 * One actor a witness route: it publishes the request and withdraws it when it is stopped. It never
 * sets readiness: evidence comes through the same verifier for everyone.
 */
@NullMarked
package dev.heldcall.kernel.route;

import org.jspecify.annotations.NullMarked;
