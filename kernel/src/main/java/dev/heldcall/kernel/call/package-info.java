/**
 * The held call itself: commands, events, facts, the decider and the reducer. Read {@link
 * dev.heldcall.kernel.call.HeldCallFacts} first, then {@link
 * dev.heldcall.kernel.call.HeldCallEvent}.
 *
 * <p>Pure: no Pekko, no ObjectMapper, no JDBC, no clock, no randomness, no logging. Only {@link
 * dev.heldcall.kernel.call.HeldCallReducer} makes facts.
 */
@NullMarked
package dev.heldcall.kernel.call;

import org.jspecify.annotations.NullMarked;
