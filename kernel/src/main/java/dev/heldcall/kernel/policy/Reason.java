package dev.heldcall.kernel.policy;

/**
 * Why the verdict is what it is.
 *
 * @param layer {@code capability-floor}, {@code floor}, {@code organization}, {@code call} or
 *     {@code kernel}
 * @param rule the rule's id, or empty where no rule spoke
 * @param message for people and models
 */
public record Reason(String layer, String rule, String message) {}
