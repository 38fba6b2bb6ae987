package dev.heldcall.config;

import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A public key that a principal signs attestations with ({@code heldcall.auth.keys}). Old and new
 * keys of one principal stand side by side.
 *
 * @param owner whose it is
 * @param keyId its name among its owner's keys, the {@code kid} that signatures name
 * @param jwk the JSON Web Key (RFC 7517) as JSON: Ed25519 or P-256, no private part
 * @param notBefore from when on signatures by it are taken in, or null for always
 * @param notAfter until when they are, or null for ever; evidence taken in before stays
 * @param revoked whether nothing that it signed counts any more
 */
public record KeySettings(
    PrincipalRef owner,
    String keyId,
    String jwk,
    @Nullable Instant notBefore,
    @Nullable Instant notAfter,
    boolean revoked) {}
