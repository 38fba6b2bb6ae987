package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attestation that was refused: on record, shown, and inert. The history has all that are
 * recorded; the facts keep the newest.
 *
 * @param attestationId the id it claimed, or null if it had no readable one
 * @param witness who gave it, as authentication established
 * @param disposition stale, invalid, conflict or forbidden
 * @param reason why, for a person
 * @param at when it was refused
 */
public record Refusal(
    @Nullable String attestationId,
    PrincipalRef witness,
    String disposition,
    String reason,
    Instant at) {

  /** How many of them the facts keep. */
  public static final int KEPT = 20;
}
