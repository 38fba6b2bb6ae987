package dev.heldcall.config;

import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
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

/** Reads the static tokens ({@code heldcall.auth}). */
final class AuthReader {

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern CLASS = Pattern.compile("[a-z][a-z0-9-]*");

  private AuthReader() {}

  static AuthSettings read(Section auth) {
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
    auth.end();
    return new AuthSettings(tokens);
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
    String id = token.text("id", "unnamed");
    String org = token.text("org", "unnamed");
    String project = token.text("project", "unnamed");
    Set<Role> roles = token.choices("roles", Role.class);
    if (roles.isEmpty() && !token.has("roles")) {
      token.wrong("roles", "a list of at least one role");
    }
    Set<String> classes = new HashSet<>(token.texts("witness-classes"));
    if (!classes.stream().allMatch(name -> CLASS.matcher(name).matches())) {
      token.wrong("witness-classes", "classes of lower-case letters, digits and hyphens");
    }
    Set<String> capabilities = new HashSet<>(token.texts("capabilities"));
    @Nullable String onBehalfOf = token.optionalText("on-behalf-of");
    @Nullable String modelFamily = token.optionalText("model-family");
    token.end();
    return new TokenSettings(
        sha256,
        new Principal(
            id,
            org,
            project,
            roles,
            new TreeSet<>(classes),
            new TreeSet<>(capabilities),
            onBehalfOf,
            modelFamily));
  }
}
