package dev.heldcall.gateway.auth;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.JwtIssuerSettings;
import dev.heldcall.config.TokenSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.util.Collection;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/** Who could witness what, as far as the configuration tells. */
public final class Roster {

  private final List<Principal> witnesses;
  private final List<JwtIssuerSettings> issuers;

  /** Knows the witnesses among the tokens of the settings, and the providers. */
  public Roster(AuthSettings settings, Collection<Principal> providers) {
    issuers = settings.issuers();
    witnesses =
        Stream.concat(settings.tokens().stream().map(TokenSettings::principal), providers.stream())
            .filter(principal -> principal.has(Role.WITNESS))
            .toList();
  }

  /**
   * For a class, those of the organization who hold it.
   *
   * @param may whether a witness that holds a class is independent for the call at hand
   */
  public Function<String, Collection<PrincipalRef>> of(
      String org, BiPredicate<Principal, String> may) {
    return witnessClass ->
        Stream.concat(named(org, witnessClass, may), issued(org, witnessClass)).distinct().toList();
  }

  /** One for each issuer of JWTs that may make witnesses of the class: nobody knows their names. */
  private Stream<PrincipalRef> issued(String org, String witnessClass) {
    return issuers.stream()
        .filter(issuer -> issuer.mayGrant(org, witnessClass))
        .map(issuer -> issuer.anyone(org, ""));
  }

  private Stream<PrincipalRef> named(
      String org, String witnessClass, BiPredicate<Principal, String> may) {
    return witnesses.stream()
        .filter(
            witness ->
                witness.org().equals(org)
                    && witness.witnessClasses().contains(witnessClass)
                    && may.test(witness, witnessClass))
        .map(Principal::ref);
  }
}
