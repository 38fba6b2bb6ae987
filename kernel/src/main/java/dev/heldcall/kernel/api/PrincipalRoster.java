package dev.heldcall.kernel.api;

import dev.heldcall.config.TokenSettings;
import dev.heldcall.config.WitnessSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is known from configuration: who could attest under a class, and what a principal holds. */
final class PrincipalRoster {

  private final Map<String, Map<String, Set<PrincipalRef>>> byOrganization = new LinkedHashMap<>();
  private final Map<PrincipalRef, SortedSet<String>> capabilities = new HashMap<>();
  private final Map<PrincipalRef, Principal> witnesses = new HashMap<>();

  PrincipalRoster(List<TokenSettings> tokens) {
    this(tokens, List.of());
  }

  /**
   * @param providers the witness providers: each is a witness under its own identity
   */
  PrincipalRoster(List<TokenSettings> tokens, Collection<WitnessSettings> providers) {
    List<Principal> principals = new ArrayList<>();
    tokens.forEach(each -> principals.add(each.principal()));
    providers.forEach(each -> principals.add(each.identity()));
    for (Principal principal : principals) {
      if (principal.has(Role.WITNESS)) {
        witnesses.merge(principal.ref(), principal, PrincipalRoster::together);
      }
      capabilities
          .computeIfAbsent(principal.ref(), key -> new TreeSet<>())
          .addAll(principal.capabilities());
      Map<String, Set<PrincipalRef>> classes =
          byOrganization.computeIfAbsent(principal.org(), key -> new HashMap<>());
      if (principal.has(Role.WITNESS)) {
        for (String each : principal.witnessClasses()) {
          classes.computeIfAbsent(each, key -> new LinkedHashSet<>()).add(principal.ref());
        }
      }
    }
  }

  /** One identity with several tokens is one witness, who holds the classes of all of them. */
  private static Principal together(Principal one, Principal other) {
    TreeSet<String> classes = new TreeSet<>(one.witnessClasses());
    classes.addAll(other.witnessClasses());
    return new Principal(
        one.id(),
        one.org(),
        one.project(),
        one.roles(),
        classes,
        one.capabilities(),
        one.onBehalfOf() == null ? other.onBehalfOf() : one.onBehalfOf(),
        one.modelFamily() == null ? other.modelFamily() : one.modelFamily());
  }

  /** The witness of that name, with what it may do. */
  Optional<Principal> witness(PrincipalRef name) {
    return Optional.ofNullable(witnesses.get(name));
  }

  /** The organizations that have principals. */
  Set<String> organizations() {
    return byOrganization.keySet();
  }

  /** Who could attest under a class in the organization. */
  Function<String, Collection<PrincipalRef>> of(String org) {
    Map<String, Set<PrincipalRef>> classes = byOrganization.getOrDefault(org, Map.of());
    return each -> classes.getOrDefault(each, Set.of());
  }

  /** What the principal holds by configuration now, or null if it is not there any more. */
  @Nullable SortedSet<String> capabilities(PrincipalRef principal) {
    return capabilities.get(principal);
  }
}
