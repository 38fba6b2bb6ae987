package dev.heldcall.kernel.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended without an effect.
 *
 * @param by who or what ended it: a principal's id, {@code policy}, {@code clock} or {@code
 *     dependency}
 * @param reason the words of whoever did, or null if none were given
 * @param at when
 */
public record CallEnd(String by, @Nullable String reason, Instant at) {}
