package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content that is judged, witnessed and run; an edit makes the next one.
 *
 * @param number from 1
 * @param tool the tool or gate
 * @param args the arguments, canonical
 * @param argsDigest SHA-256 of their JCS form
 * @param callDigest what attestations are bound to
 * @param editor who made this generation, or null for the first
 * @param since when it began; a fallback's time runs from here
 */
public record Generation(
    int number,
    String tool,
    JsonNode args,
    Digest argsDigest,
    Digest callDigest,
    @Nullable PrincipalRef editor,
    Instant since) {}
