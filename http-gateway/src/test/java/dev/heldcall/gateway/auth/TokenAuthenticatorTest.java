package dev.heldcall.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.TokenSettings;
import dev.heldcall.gateway.auth.TokenAuthenticator.Identity;
import dev.heldcall.kernel.signature.KeySetClient;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TokenAuthenticatorTest {

  /** SHA-256 of "abc" (FIPS 180-2, appendix B.1). */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final Principal ALICE =
      new Principal(
          "alice",
          "acme",
          "default",
          Set.of(Role.WITNESS),
          new TreeSet<>(Set.of("human")),
          new TreeSet<>(),
          null,
          null);

  private static final AuthSettings SETTINGS =
      new AuthSettings(List.of(new TokenSettings(ABC, ALICE)));

  private final TokenAuthenticator authenticator =
      new TokenAuthenticator(SETTINGS, new KeySetClient(), InstantSource.system());

  /** A static token is known at once. */
  private Identity identity(List<String> headers) {
    return authenticator.authenticate(headers).toCompletableFuture().resultNow();
  }

  @Test
  void a_token_stands_for_its_principal() {
    assertThat(identity(List.of("Bearer abc"))).isEqualTo(new Identity.Known(ALICE));
    assertThat(identity(List.of("BEARER   abc "))).isEqualTo(new Identity.Known(ALICE));
  }

  @Test
  void nothing_else_stands_for_anybody() {
    assertThat(identity(List.of())).isInstanceOf(Identity.Absent.class);
    for (String header :
        List.of("abc", "Bearer", "Bearer ABC", "Bearer abcd", "Bearer " + ABC, "Basic abc", "")) {
      assertThat(identity(List.of(header))).as(header).isInstanceOf(Identity.Refused.class);
    }
    assertThat(identity(List.of("Bearer abc", "Bearer abc"))).isInstanceOf(Identity.Refused.class);
    assertThat(identity(List.of("Bearer " + "a".repeat(9000))))
        .isInstanceOf(Identity.Refused.class);
  }

  @Test
  void the_roster_names_who_holds_a_class_in_the_organization() {
    Principal provider =
        new Principal(
            "ci-bot",
            "acme",
            "default",
            Set.of(Role.WITNESS),
            new TreeSet<>(Set.of("ci-checks")),
            new TreeSet<>(),
            null,
            null);
    Roster roster = new Roster(SETTINGS, List.of(provider));

    assertThat(roster.of("acme", (witness, name) -> true).apply("human"))
        .containsExactly(new PrincipalRef("acme", "default", "alice"));
    assertThat(roster.of("acme", (witness, name) -> true).apply("ci")).isEmpty();
    assertThat(roster.of("acme", (witness, name) -> true).apply("ci-checks"))
        .containsExactly(provider.ref());
    assertThat(roster.of("acme", (witness, name) -> !witness.equals(provider)).apply("ci-checks"))
        .isEmpty();
    assertThat(roster.of("other", (witness, name) -> true).apply("human")).isEmpty();
  }
}
