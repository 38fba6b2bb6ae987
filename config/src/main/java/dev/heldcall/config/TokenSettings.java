package dev.heldcall.config;

import dev.heldcall.plugin.api.Principal;

/**
 * A static bearer token; the token itself is nowhere kept.
 *
 * @param sha256 SHA-256 of the token's UTF-8 bytes as 64 lower-case hexadecimal digits
 * @param principal who speaks with it
 */
public record TokenSettings(String sha256, Principal principal) {}
