package dev.heldcall.kernel.api;

import dev.heldcall.config.TokenSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is known from configuration: who could attest under a class, and what a principal holds. */
final class PrincipalRoster {

  private final Map<String, Map<String, Set<PrincipalRef>>> byOrganization = new LinkedHashMap<>();
  private final Map<PrincipalRef, SortedSet<String>> capabilities = new HashMap<>();

  PrincipalRoster(List<TokenSettings> tokens) {
    for (TokenSettings token : tokens) {
      Principal principal = token.principal();
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
