package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an explanation needs beside the evidence.
 *
 * @param holdStarted when the generation's hold began; fallbacks count from it
 * @param deadline from when on the call has expired and nothing counts any more, or null if never
 * @param heldIfRefuted whether a refuted call goes on waiting instead of being denied
 * @param whoCould the identities that could attest under a class, those that are not independent
 *     left out; null where that is not known, and then nothing is said of it
 */
public record ExplainContext(
    Instant holdStarted,
    @Nullable Instant deadline,
    boolean heldIfRefuted,
    @Nullable Function<String, List<PrincipalRef>> whoCould) {}
