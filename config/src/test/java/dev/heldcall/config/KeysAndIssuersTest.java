package dev.heldcall.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of witnesses, and issuers of JWTs. */
class KeysAndIssuersTest {

  private static final String ED =
      "{ kty = OKP, crv = Ed25519, x = \"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\" }";
  private static final String P256 =
      "{ kty = EC, crv = P-256, x = \"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
          + " y = \"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\" }";
  private static final String OWNER = "id = ci, org = acme, project = p";

  @TempDir Path dir;

  private AuthSettings load(String text) throws SettingsException {
    try {
      Path file = Files.writeString(dir.resolve("f.conf"), text);
      return SettingsReader.load(List.of(file), Map.of(), Overrides.none(), SettingsReader.DEV)
          .auth();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private SettingsProblem onlyProblem(String text) {
    SettingsException refused =
        Objects.requireNonNull(catchThrowableOfType(SettingsException.class, () -> load(text)));
    assertThat(refused.problems()).as(refused.getMessage()).hasSize(1);
    return refused.problems().getFirst();
  }

  @Test
  void areReadWithTheirDefaults() throws SettingsException {
    AuthSettings auth =
        load(
            """
            heldcall.auth.keys = [
              { id = ci, org = acme, project = p, kid = old, jwk = %s, not-after = "2026-03-01T00:00:00Z" }
              { id = ci, org = acme, project = p, kid = new, jwk = %s, not-before = "2026-02-01T00:00:00Z" }
              { id = ci, org = acme, project = p, kid = lost, jwk = %s, revoked = true }
            ]
            heldcall.auth.key-sets = [
              { id = bob, org = acme, project = p, url = "https://keys.example/bob", revoked-kids = [b-0] }
            ]
            heldcall.auth.jwt = [
              { issuer = "https://idp.example", audience = [heldcall], orgs = [acme]
                jwks-url = "http://127.0.0.1:1/jwks", refresh = 1m, max-age = 2m
                claims { id = email, roles = "https://idp.example/roles" }
                may-grant { roles = [agent], capabilities = [pay] } }
            ]
            """
                .formatted(ED, P256, ED));

    assertThat(auth.keys()).extracting(KeySettings::keyId).containsExactly("old", "new", "lost");
    assertThat(auth.keys().getFirst().owner()).isEqualTo(new PrincipalRef("acme", "p", "ci"));
    assertThat(auth.keys().getFirst().notAfter()).isEqualTo(Instant.parse("2026-03-01T00:00:00Z"));
    assertThat(auth.keys().get(2).revoked()).isTrue();
    KeySetSettings set = auth.keySets().getFirst();
    assertThat(set.revoked()).containsExactly("b-0");
    assertThat(set.keys().refresh()).isEqualTo(Duration.ofMinutes(5));
    assertThat(set.keys().maxAge()).isEqualTo(Duration.ofHours(1));
    assertThat(set.keys().timeout()).isEqualTo(Duration.ofSeconds(3));
    JwtIssuerSettings issuer = auth.issuers().getFirst();
    assertThat(Objects.requireNonNull(issuer.remote()).refresh()).isEqualTo(Duration.ofMinutes(1));
    assertThat(issuer.claims().id()).isEqualTo("email");
    assertThat(issuer.claims().org()).isEqualTo("org");
    assertThat(issuer.claims().roles()).isEqualTo("https://idp.example/roles");
    assertThat(issuer.skew()).isEqualTo(Duration.ofSeconds(60));
    assertThat(issuer.grants().roles()).containsExactly(Role.AGENT);
    assertThat(issuer.grants().witnessClasses()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$, jwk = @                          | .kid        | a text",
        "$, kid = k                          | .jwk        | a public JSON Web Key",
        "$, kid = k, jwk = x                 | .jwk        | a JSON object",
        "$, kid = k, jwk { kty = OKP }       | .jwk        | a public JSON Web Key",
        "$, kid = k, jwk { kty = RSA, n = AQAB, e = AQAB } | .jwk | a public JSON Web Key",
        "$, kid = k, jwk = @{ d = AAAA }     | .jwk        | a public JSON Web Key",
        "$, kid = k, jwk = @{ kid = other }  | .kid        | the same as the kid in jwk, 'other'",
        "$, kid = k, jwk = @, not-before = x | .not-before | an RFC 3339 time in UTC",
        "$, kid = k, jwk = @, revoked = 7    | .revoked    | true or false",
        "$, kid = k, jwk = @, revokd = true  | .revokd     | one of the known keys",
        "org = a, project = p, kid = k, jwk = @ | .id      | a text"
      })
  void aWrongKeyIsNamedWithItsPlace(String entry, String key, String expected) {
    SettingsProblem problem =
        onlyProblem(
            "heldcall.auth.keys = [\n { %s }\n]"
                .formatted(entry.replace("$", OWNER).replace("@", ED)));
    assertThat(problem.key()).isEqualTo("heldcall.auth.keys[0]" + key);
    assertThat(problem.place()).endsWith("f.conf:2");
    assertThat(problem.expected()).startsWith(expected);
  }

  @Test
  void aKeyIdIsItsOwnersOnlyOne() {
    String key = "{ " + OWNER + ", kid = k, jwk = " + ED + " }\n";
    assertThat(onlyProblem("heldcall.auth.keys = [\n" + key + key + "]").expected())
        .isEqualTo("a key id of its own: it is also that of heldcall.auth.keys[0]");
  }

  @Test
  void aKeyIsInUseForSomeTime() {
    String times = "not-before = \"2026-03-01T00:00:00Z\", not-after = \"2026-03-01T00:00:00Z\"";
    String key = "{ " + OWNER + ", kid = k, jwk = " + ED + ", " + times + " }";
    assertThat(onlyProblem("heldcall.auth.keys = [" + key + "]").expected())
        .isEqualTo("a time after not-before");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "url = \"http://keys.example/\"       | .url     | an https URL, or http on a loopback",
        "url = \"https://u:p@keys.example/\"  | .url     | an https URL, or http on a loopback",
        "url = \"keys\"                       | .url     | an https URL, or http on a loopback",
        "url = \"https://k/\", max-age = 1s   | .max-age | a duration not shorter than refresh",
        "url = \"https://k/\", timeout = 1m   | .timeout | a duration from 50ms to 4s",
        "url = \"https://k/\", kids = []      | .kids    | one of the known keys"
      })
  void aWrongKeySetIsNamed(String entry, String key, String expected) {
    SettingsProblem problem =
        onlyProblem("heldcall.auth.key-sets = [ { " + OWNER + ", " + entry + " } ]");
    assertThat(problem.key()).isEqualTo("heldcall.auth.key-sets[0]" + key);
    assertThat(problem.expected()).startsWith(expected);
  }

  private static final String ISSUER =
      "issuer = i, audience = [a], orgs = [o], jwks-url = \"https://k/\", may-grant.roles = [agent]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "issuer = null             | .issuer          | a text",
        "audience = []             | .audience        | a list of at least one audience",
        "orgs = []                 | .orgs            | a list of at least one organization",
        "jwks-url = null           | .jwks-url        | exactly one of jwks-url",
        "jwks { keys = [ @ ] }     | .jwks            | exactly one of jwks-url",
        "jwks-url = \"http://k/\"  | .jwks-url        | an https URL",
        "may-grant = null          | .may-grant.roles | a list of at least one role",
        "may-grant.roles = [boss]  | .may-grant.roles | a list of one of agent",
        "may-grant.witness-classes = [Human] | .may-grant.witness-classes | classes of lower-case",
        "may-grant.role = x        | .may-grant.role  | one of the known keys",
        "claims.sub = x            | .claims.sub      | one of the known keys",
        "skew = 1h                 | .skew            | a duration from 0s to 5m",
        "algorithms = [none]       | .algorithms      | one of the known keys"
      })
  void aWrongIssuerIsNamed(String change, String key, String expected) {
    SettingsProblem problem =
        onlyProblem(
            "heldcall.auth.jwt = [ { %s, %s } ]"
                .formatted(ISSUER, change.replace("@", ED.replace("}", ", kid = a }"))));
    assertThat(problem.key()).isEqualTo("heldcall.auth.jwt[0]" + key);
    assertThat(problem.expected()).startsWith(expected);
  }

  @Test
  void anIssuersOwnKeysAreKeysWithIds() throws SettingsException {
    String issuer = ISSUER.replace("jwks-url = \"https://k/\", ", "");
    String named = ED.replace("}", ", kid = a }");
    assertThat(
            load("heldcall.auth.jwt = [ { " + issuer + ", jwks { keys = [ " + named + " ] } } ]")
                .issuers()
                .getFirst()
                .jwks())
        .hasSize(1);
    for (String keys : List.of("[]", "[ " + ED + " ]", "[ " + named + ", " + named + " ]", "x")) {
      assertThat(
              onlyProblem(
                      "heldcall.auth.jwt = [ { " + issuer + ", jwks { keys = " + keys + " } } ]")
                  .expected())
          .startsWith("keys = [ … ], public JSON Web Keys with a kid each");
    }
  }

  @Test
  void anIssuerIsThereOnce() {
    assertThat(onlyProblem("heldcall.auth.jwt = [ {" + ISSUER + "}, {" + ISSUER + "} ]").expected())
        .isEqualTo("an issuer of its own: it is also that of heldcall.auth.jwt[0]");
  }
}
