package dev.heldcall.kernel.policy;

/**
 * Where a value breaks its tool's schema.
 *
 * @param pointer RFC 6901, within the value
 * @param message which keyword, and what it asks for
 * @param keyword the way to the broken keyword within the schema, as {@code /properties/ok/type};
 *     all of it is the schema's author's words, and nothing in it is the value's
 */
public record SchemaProblem(String pointer, String message, String keyword) {}
