package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.WitnessRule;
import org.jspecify.annotations.Nullable;

/**
 * What adjudication may look at; nothing else influences a verdict.
 *
 * @param heldId the call
 * @param generation its generation, from 1
 * @param boundary where it stands
 * @param tool the tool, or for a boundary other than tool the gate's name
 * @param args its arguments, in canonical form
 * @param principal who proposes
 * @param sessionId the proposer's session
 * @param turnId the turn
 * @param callId the call within the turn
 * @param require a witness rule that the proposal asks for itself, or null
 * @param timeoutSeconds the longest hold that the proposal wants, 1 or more, or null
 */
public record CallUnderPolicy(
    String heldId,
    int generation,
    Boundary boundary,
    String tool,
    JsonNode args,
    Principal principal,
    String sessionId,
    String turnId,
    String callId,
    @Nullable WitnessRule require,
    @Nullable Long timeoutSeconds) {}
