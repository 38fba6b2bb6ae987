package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.VerdictKind;

/**
 * One rule that matched, whether it decided or not.
 *
 * @param layer as in {@link Reason}
 * @param rule the rule's id; {@code default} where a layer's default spoke
 * @param verdict what it says
 * @param message for people and models
 */
public record Trace(String layer, String rule, VerdictKind verdict, String message) {}
