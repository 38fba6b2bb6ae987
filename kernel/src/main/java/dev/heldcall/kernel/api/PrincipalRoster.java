package dev.heldcall.kernel.api;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.JwtIssuerSettings;
import dev.heldcall.config.WitnessSettings;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.witness.RuleParser;
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

/**
 * Who is known from configuration: who could attest under a class, what a principal holds, and how
 * the keys stand that it signs with.
 */
final class PrincipalRoster {

  private final Map<String, Map<String, Set<PrincipalRef>>> byOrganization = new LinkedHashMap<>();
  private final Map<PrincipalRef, SortedSet<String>> capabilities = new HashMap<>();
  private final Map<PrincipalRef, Principal> witnesses = new HashMap<>();
  private final List<JwtIssuerSettings> issuers;
  private final NodeSignatures signatures;

  /**
   * Everybody whom the settings name.
   *
   * @param providers the witness providers: each is a witness under its own identity
   */
  PrincipalRoster(
      AuthSettings auth, Collection<WitnessSettings> providers, NodeSignatures signatures) {
    this.issuers = auth.issuers();
    this.signatures = signatures;
    List<Principal> principals = new ArrayList<>();
    auth.tokens().forEach(each -> principals.add(each.principal()));
    for (JwtIssuerSettings issuer : issuers) {
      issuer.orgs().forEach(org -> byOrganization.computeIfAbsent(org, key -> new HashMap<>()));
    }
    providers.stream()
        .filter(WitnessSettings::attestsItself)
        .forEach(each -> principals.add(each.identity()));
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

  /**
   * Who could attest under a class in the organization, for a person: those who are named, and for
   * each issuer that may grant the class one that stands for all whom it names.
   */
  Function<String, Collection<PrincipalRef>> of(String org) {
    return witnessClass -> with(org, witnessClass, 1);
  }

  /**
   * The same for rules that count: an issuer of JWTs names as many as any rule can ask for, and
   * others for each class.
   */
  Function<String, Collection<PrincipalRef>> holders(String org) {
    return witnessClass -> with(org, witnessClass, RuleParser.MAX_COUNT);
  }

  private Collection<PrincipalRef> with(String org, String witnessClass, int issued) {
    Set<PrincipalRef> named =
        byOrganization.getOrDefault(org, Map.of()).getOrDefault(witnessClass, Set.of());
    List<PrincipalRef> all = new ArrayList<>(named);
    for (JwtIssuerSettings issuer : issuers) {
      if (issuer.mayGrant(org, witnessClass)) {
        for (int i = 1; i <= issued; i++) {
          all.add(issuer.anyone(org, issued == 1 ? "" : witnessClass + " " + i));
        }
      }
    }
    return all;
  }

  /**
   * What the principal holds by configuration now, or null if it is not there any more. Of one that
   * an issuer names, it is known only what the issuer may grant; what its token gave is in the
   * call.
   */
  @Nullable SortedSet<String> capabilities(PrincipalRef principal) {
    SortedSet<String> held = capabilities.get(principal);
    for (JwtIssuerSettings issuer : issuers) {
      if (issuer.speaksFor(principal)) {
        TreeSet<String> more = new TreeSet<>(issuer.grants().capabilities());
        if (held != null) {
          more.addAll(held);
        }
        held = more;
      }
    }
    return held;
  }

  /** How the keys stand that evidence was signed with. */
  KeyStandings keys() {
    return signatures.standings();
  }

  /** What signatures are verified with. */
  NodeSignatures signatures() {
    return signatures;
  }
}
