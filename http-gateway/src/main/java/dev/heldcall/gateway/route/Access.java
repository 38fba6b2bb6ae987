package dev.heldcall.gateway.route;

import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.Set;

/**
 * Who may use an endpoint at all. The kernel checks again, and everything else: this only spares it
 * what is hopeless.
 *
 * @param token whether a token is needed
 * @param roles one of these is needed; empty for any
 */
public record Access(boolean token, Set<Role> roles) {

  /** Everybody, without a token. */
  public static final Access OPEN = new Access(false, Set.of());

  /** Every principal. */
  public static final Access PRINCIPAL = new Access(true, Set.of());

  public Access {
    roles = Set.copyOf(roles);
  }

  /** Every principal with one of the roles. */
  public static Access of(Role... roles) {
    return new Access(true, Set.of(roles));
  }

  /** Whether the principal may go on. */
  public boolean allows(Principal principal) {
    return roles.isEmpty() || roles.stream().anyMatch(principal::has);
  }
}
