package dev.heldcall.kernel.call;

import java.time.Instant;

/**
 * What every event says of itself.
 *
 * @param eventId unique in the call, {@code ev-1} and so on
 * @param at the call's time when it was decided
 * @param actor the principal's id, or {@code kernel}
 */
public record EventMeta(String eventId, Instant at, String actor) {

  /** The actor of what the kernel decides by itself. */
  public static final String KERNEL = "kernel";
}
