package dev.heldcall.kernel.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the asking of one witness provider stands; for display.
 *
 * @param witnessClass the class that it is asked for
 * @param provider its name
 * @param state how it stands
 * @param note why, in words for a person, or null
 * @param askedAt when it was first asked, or null
 * @param nextAt when it is looked at again, or null
 * @param attempts how often it was tried
 */
public record RouteView(
    String witnessClass,
    String provider,
    String state,
    @Nullable String note,
    @Nullable Instant askedAt,
    @Nullable Instant nextAt,
    int attempts) {}
