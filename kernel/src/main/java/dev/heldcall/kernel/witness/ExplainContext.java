package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * What an explanation needs beside the evidence.
 *
 * @param holdStarted when the generation's hold began; fallbacks count from it
 * @param whoCould the identities that could attest under a class, proposer and other dependents
 *     left out
 */
public record ExplainContext(Instant holdStarted, Function<String, List<PrincipalRef>> whoCould) {}
