/**
 * Refusals as RFC 9457 problem documents. Read {@link dev.heldcall.gateway.error.ProblemType}
 * first: it lists every kind with its status.
 */
@NullMarked
package dev.heldcall.gateway.error;

import org.jspecify.annotations.NullMarked;
