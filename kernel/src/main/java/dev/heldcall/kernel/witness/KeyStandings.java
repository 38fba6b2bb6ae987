package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;

/** How the keys of witnesses stand, as this node last read them. */
@FunctionalInterface
public interface KeyStandings {

  /** Every key stands: for worlds without signatures. */
  KeyStandings ALL_STAND = (owner, key) -> KeyStanding.STANDS;

  /** How the owner's key stands. */
  KeyStanding of(PrincipalRef owner, SignatureKey key);
}
