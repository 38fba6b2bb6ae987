package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an operator closed an unknown outcome (rule 4).
 *
 * @param by the operator
 * @param effect whether there was an effect
 * @param contentDigest digest of the content that came with it, or null
 * @param evidence what it is based on
 * @param at when
 */
public record Resolution(
    PrincipalRef by,
    boolean effect,
    @Nullable Digest contentDigest,
    JsonNode evidence,
    Instant at) {}
