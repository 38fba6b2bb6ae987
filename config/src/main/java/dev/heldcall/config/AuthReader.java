package dev.heldcall.config;

import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    for (Section token : auth.sections("tokens")) {
      TokenSettings read = token(token);
      String other = seen.putIfAbsent(read.sha256(), token.path());
      if (other != null && !read.sha256().isEmpty()) {
        token.wrong("sha256", "a digest of its own: it is also that of " + other);
      }
      tokens.add(read);
    }
    auth.end();
    return new AuthSettings(tokens);
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
