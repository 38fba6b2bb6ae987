package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.config.JwtIssuerSettings.Claims;
import dev.heldcall.config.JwtIssuerSettings.Grants;
import dev.heldcall.plugin.api.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the issuers of JWTs ({@code heldcall.auth.jwt}), and key sets at addresses. */
final class JwtReader {

  private static final URI NOWHERE = URI.create("http://localhost/");
  private static final String URL =
      "an https URL, or http on a loopback address: whoever answers it says who may sign";

  private JwtReader() {}

  static List<JwtIssuerSettings> issuers(Section auth) {
    List<JwtIssuerSettings> issuers = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    for (Section each : auth.sections("jwt")) {
      JwtIssuerSettings read = issuer(each);
      String other = seen.putIfAbsent(read.issuer(), each.path());
      if (other != null) {
        each.wrong("issuer", "an issuer of its own: it is also that of " + other);
      }
      issuers.add(read);
    }
    return issuers;
  }

  private static JwtIssuerSettings issuer(Section issuer) {
    String name = issuer.text("issuer", "unnamed");
    List<String> audience = atLeastOne(issuer, "audience", "a list of at least one audience");
    List<String> orgs = atLeastOne(issuer, "orgs", "a list of at least one organization");
    @Nullable String project = issuer.optionalText("project");
    boolean remote = issuer.has("jwks-url");
    boolean local = issuer.has("jwks");
    if (remote == local) {
      issuer.wrong(
          local ? "jwks" : "jwks-url",
          "exactly one of jwks-url (where the issuer's keys are) and jwks (the keys)");
    }
    RemoteKeysSettings keys = remote ? remote(issuer, "jwks-url") : null;
    List<String> jwks = local ? jwks(issuer) : List.of();
    Claims claims = claims(issuer.section("claims"));
    Grants grants = grants(issuer.section("may-grant"));
    Duration skew =
        issuer.duration("skew", Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(60));
    issuer.end();
    return new JwtIssuerSettings(name, audience, keys, jwks, orgs, project, claims, grants, skew);
  }

  private static List<String> atLeastOne(Section of, String key, String expected) {
    List<String> texts = of.texts(key);
    if (texts.isEmpty() && !(of.has(key) && !isList(of, key))) {
      of.wrong(key, expected);
    }
    return texts;
  }

  private static boolean isList(Section of, String key) {
    return of.value(key) instanceof com.typesafe.config.ConfigList;
  }

  private static List<String> jwks(Section issuer) {
    JsonNode set = issuer.verbatim("jwks");
    List<String> keys = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    if (set == null) {
      return keys;
    }
    boolean good = set.path("keys").isArray() && !set.path("keys").isEmpty();
    for (JsonNode key : set.path("keys")) {
      good = good && JwkCheck.signsTokens(key) && ids.add(key.path("kid").asText());
      keys.add(key.toString());
    }
    if (!good) {
      issuer.wrong("jwks", "keys = [ … ], " + JwkCheck.FOR_TOKENS);
    }
    return keys;
  }

  private static Claims claims(Section claims) {
    Claims read =
        new Claims(
            name(claims, "id", "sub"),
            name(claims, "org", "org"),
            name(claims, "project", "project"),
            name(claims, "roles", "roles"),
            name(claims, "witness-classes", "witness_classes"),
            name(claims, "capabilities", "capabilities"),
            name(claims, "on-behalf-of", "on_behalf_of"),
            name(claims, "model-family", "model_family"));
    claims.end();
    return read;
  }

  private static String name(Section claims, String key, String usual) {
    String name = claims.optionalText(key);
    return name == null ? usual : name;
  }

  private static Grants grants(Section grants) {
    Set<Role> roles = grants.choices("roles", Role.class);
    if (roles.isEmpty() && !grants.has("roles")) {
      grants.wrong("roles", "a list of at least one role that its tokens may give");
    }
    TreeSet<String> classes = new TreeSet<>(AuthReader.classes(grants));
    TreeSet<String> capabilities = new TreeSet<>(grants.texts("capabilities"));
    grants.end();
    return new Grants(roles, classes, capabilities);
  }

  /** The key set at an address, and how it is fetched. */
  static RemoteKeysSettings remote(Section of, String urlKey) {
    URI url = url(of, urlKey);
    Duration refresh =
        of.duration("refresh", Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofMinutes(5));
    Duration maxAge =
        of.duration("max-age", Duration.ofSeconds(1), Duration.ofDays(7), Duration.ofHours(1));
    if (maxAge.compareTo(refresh) < 0) {
      of.wrong("max-age", "a duration not shorter than refresh");
    }
    Duration timeout =
        of.duration("timeout", Duration.ofMillis(50), Duration.ofSeconds(4), Duration.ofSeconds(3));
    Duration pause =
        of.duration("pause", Duration.ofMillis(100), Duration.ofHours(1), Duration.ofSeconds(10));
    int maxBytes = (int) of.bytes("max-bytes", 1024, 4 << 20, 256L << 10);
    return new RemoteKeysSettings(url, refresh, maxAge, timeout, pause, maxBytes);
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static URI url(Section of, String key) {
    String text = of.text(key, NOWHERE.toString());
    try {
      URI url = new URI(text);
      String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
      String host = url.getHost();
      boolean safe =
          host != null
              && url.getRawUserInfo() == null
              && (scheme.equals("https")
                  || (scheme.equals("http") && SettingsSections.isLoopback(bare(host))));
      if (safe) {
        return url;
      }
    } catch (URISyntaxException e) {
      // told below, as every other address that is none
    }
    of.wrong(key, URL);
    return NOWHERE;
  }
}
