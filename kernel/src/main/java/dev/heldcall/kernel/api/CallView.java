package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Instant;

/**
 * A call as it stands.
 *
 * @param facts all that is known of it; never shown whole: the gateway renders what the viewer may
 *     see
 * @param sequence the journal sequence number, for the ETag
 * @param now the call's time when it was read
 */
public record CallView(HeldCallFacts facts, long sequence, Instant now) {}
