package dev.heldcall.kernel.policy;

/**
 * Where a value breaks its tool's schema.
 *
 * @param pointer RFC 6901, within the value
 * @param message which keyword, and what it asks for
 */
public record SchemaProblem(String pointer, String message) {}
