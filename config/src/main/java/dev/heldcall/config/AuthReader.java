package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads who is who ({@code heldcall.auth}): static tokens, and keys that attestations bear. */
final class AuthReader {

  static final Pattern CLASS = Pattern.compile("[a-z][a-z0-9-]*");

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private AuthReader() {}

  static AuthSettings read(Section auth) {
    AuthSettings read =
        new AuthSettings(tokens(auth), keys(auth), keySets(auth), JwtReader.issuers(auth));
    auth.end();
    return read;
  }

  private static List<TokenSettings> tokens(Section auth) {
    List<TokenSettings> tokens = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    Map<PrincipalRef, Known> principals = new HashMap<>();
    for (Section token : auth.sections("tokens")) {
      TokenSettings read = token(token);
      String other = seen.putIfAbsent(read.sha256(), token.path());
      if (other != null && !read.sha256().isEmpty()) {
        token.wrong("sha256", "a digest of its own: it is also that of " + other);
      }
      requireOneIdentity(token, read.principal(), principals);
      tokens.add(read);
    }
    return tokens;
  }

  /** The token that a principal was first met with. */
  private record Known(Principal principal, String path) {}

  /**
   * Tokens of one principal may differ in what they let it do, and not in who it is: whom it acts
   * for and of which model family it is decide whose word its own is.
   */
  private static void requireOneIdentity(
      Section token, Principal principal, Map<PrincipalRef, Known> principals) {
    Known known = principals.putIfAbsent(principal.ref(), new Known(principal, token.path()));
    if (known == null) {
      return;
    }
    String same = "as for the same principal in " + known.path();
    if (!Objects.equals(known.principal().onBehalfOf(), principal.onBehalfOf())) {
      token.wrong("on-behalf-of", same);
    }
    if (!Objects.equals(known.principal().modelFamily(), principal.modelFamily())) {
      token.wrong("model-family", same);
    }
  }

  private static TokenSettings token(Section token) {
    String sha256 = token.text("sha256", "").toLowerCase(Locale.ROOT);
    if (!sha256.isEmpty() && !SHA256.matcher(sha256).matches()) {
      token.wrong("sha256", "the token's SHA-256 as 64 hexadecimal digits");
    }
    PrincipalRef owner = owner(token);
    Set<Role> roles = token.choices("roles", Role.class);
    if (roles.isEmpty() && !token.has("roles")) {
      token.wrong("roles", "a list of at least one role");
    }
    Set<String> classes = classes(token);
    Set<String> capabilities = new HashSet<>(token.texts("capabilities"));
    @Nullable String onBehalfOf = token.optionalText("on-behalf-of");
    @Nullable String modelFamily = token.optionalText("model-family");
    token.end();
    return new TokenSettings(
        sha256,
        new Principal(
            owner.id(),
            owner.org(),
            owner.project(),
            roles,
            new TreeSet<>(classes),
            new TreeSet<>(capabilities),
            onBehalfOf,
            modelFamily));
  }

  static Set<String> classes(Section of) {
    Set<String> classes = new HashSet<>(of.texts("witness-classes"));
    if (!classes.stream().allMatch(name -> CLASS.matcher(name).matches())) {
      of.wrong("witness-classes", "classes of lower-case letters, digits and hyphens");
    }
    return classes;
  }

  private static PrincipalRef owner(Section of) {
    String id = of.text("id", "unnamed");
    String org = of.text("org", "unnamed");
    String project = of.text("project", "unnamed");
    return new PrincipalRef(org, project, id);
  }

  private static List<KeySettings> keys(Section auth) {
    List<KeySettings> keys = new ArrayList<>();
    Map<List<Object>, String> seen = new HashMap<>();
    for (Section key : auth.sections("keys")) {
      KeySettings read = key(key);
      String other = seen.putIfAbsent(List.of(read.owner(), read.keyId()), key.path());
      if (other != null) {
        key.wrong("kid", "a key id of its own: it is also that of " + other);
      }
      keys.add(read);
    }
    return keys;
  }

  private static KeySettings key(Section key) {
    PrincipalRef owner = owner(key);
    String keyId = key.text("kid", "unnamed");
    JsonNode jwk = key.verbatim("jwk");
    if (jwk == null) {
      if (!key.has("jwk")) {
        key.wrong("jwk", JwkCheck.FOR_ATTESTATIONS);
      }
    } else if (!JwkCheck.signsAttestations(jwk)) {
      key.wrong("jwk", JwkCheck.FOR_ATTESTATIONS);
    } else if (jwk.has("kid") && !jwk.path("kid").asText().equals(keyId)) {
      key.wrong("kid", "the same as the kid in jwk, '" + jwk.path("kid").asText() + "'");
    }
    Instant notBefore = instant(key, "not-before");
    Instant notAfter = instant(key, "not-after");
    if (notBefore != null && notAfter != null && !notAfter.isAfter(notBefore)) {
      key.wrong("not-after", "a time after not-before");
    }
    boolean revoked = key.flag("revoked", false);
    key.end();
    return new KeySettings(
        owner, keyId, jwk == null ? "{}" : jwk.toString(), notBefore, notAfter, revoked);
  }

  private static @Nullable Instant instant(Section section, String key) {
    String text = section.optionalText(key);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      section.wrong(key, "an RFC 3339 time in UTC, such as 2026-03-01T00:00:00Z");
      return null;
    }
  }

  private static List<KeySetSettings> keySets(Section auth) {
    List<KeySetSettings> sets = new ArrayList<>();
    Map<PrincipalRef, String> seen = new HashMap<>();
    for (Section set : auth.sections("key-sets")) {
      PrincipalRef owner = owner(set);
      String other = seen.putIfAbsent(owner, set.path());
      if (other != null) {
        set.wrong("id", "a principal without a key set: it has " + other);
      }
      RemoteKeysSettings keys = JwtReader.remote(set, "url");
      Set<String> revoked = Set.copyOf(set.texts("revoked-kids"));
      set.end();
      sets.add(new KeySetSettings(owner, keys, revoked));
    }
    return sets;
  }
}
