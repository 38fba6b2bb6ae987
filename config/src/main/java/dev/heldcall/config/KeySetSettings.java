package dev.heldcall.config;

import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Set;

/**
 * A key set at an address that a principal signs attestations with ({@code
 * heldcall.auth.key-sets}). A key that leaves the set is revoked by that.
 *
 * @param owner whose keys they are
 * @param keys where they are
 * @param revoked key ids that count as revoked although the set has them
 */
public record KeySetSettings(PrincipalRef owner, RemoteKeysSettings keys, Set<String> revoked) {
  public KeySetSettings {
    revoked = Set.copyOf(revoked);
  }
}
