package dev.heldcall.config;

import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * An issuer whose JWTs (RFC 7519) are taken as bearer tokens ({@code heldcall.auth.jwt}).
 *
 * @param issuer what {@code iss} must be, character by character
 * @param audience one of which {@code aud} must name
 * @param remote where its key set is, or null
 * @param jwks its keys as JSON Web Keys, each as JSON; empty if {@code remote} is there
 * @param orgs the organizations that it may speak for, at least one
 * @param project the only project that its principals are of, or null if a claim says it
 * @param claims which claims say what
 * @param grants the most that its tokens can give
 * @param skew how far its clock may be off, for {@code exp}, {@code nbf} and {@code iat}
 */
public record JwtIssuerSettings(
    String issuer,
    List<String> audience,
    @Nullable RemoteKeysSettings remote,
    List<String> jwks,
    List<String> orgs,
    @Nullable String project,
    Claims claims,
    Grants grants,
    Duration skew) {

  public JwtIssuerSettings {
    audience = List.copyOf(audience);
    jwks = List.copyOf(jwks);
    orgs = List.copyOf(orgs);
  }

  /** Whether a principal of these names could have a token of it. */
  public boolean speaksFor(PrincipalRef principal) {
    return orgs.contains(principal.org())
        && (project == null || project.equals(principal.project()));
  }

  /** Whether its tokens may make witnesses of the class in the organization. */
  public boolean mayGrant(String org, String witnessClass) {
    return orgs.contains(org)
        && grants.roles().contains(Role.WITNESS)
        && grants.witnessClasses().contains(witnessClass);
  }

  /**
   * Stands for those whom it names: nobody knows them before they come.
   *
   * @param which tells one from another where they are counted, or empty
   */
  public PrincipalRef anyone(String org, String which) {
    String id = "anyone with a token of " + issuer + (which.isEmpty() ? "" : " (" + which + ")");
    return new PrincipalRef(org, project == null ? "any" : project, id);
  }

  /** Names of claims; a name with slashes is one name, as in {@code https://…/roles}. */
  public record Claims(
      String id,
      String org,
      String project,
      String roles,
      String witnessClasses,
      String capabilities,
      String onBehalfOf,
      String modelFamily) {}

  /** The most that a token of the issuer can give; what it says beyond that is left out. */
  public record Grants(
      Set<Role> roles, SortedSet<String> witnessClasses, SortedSet<String> capabilities) {
    public Grants {
      roles = Set.copyOf(roles);
      witnessClasses =
          java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(witnessClasses));
      capabilities =
          java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(capabilities));
    }
  }
}
