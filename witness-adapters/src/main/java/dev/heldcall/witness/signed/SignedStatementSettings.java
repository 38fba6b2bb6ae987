package dev.heldcall.witness.signed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code signed-statement} witness is configured with.
 *
 * @param url where requests are posted, or null if the service finds them by itself
 * @param authorization the value of the header {@code Authorization} of what is posted, or null
 * @param tokenSha256 SHA-256 of a bearer token that whoever posts an answer must show beside the
 *     signature, as 64 lower-case hexadecimal digits, or null
 * @param signers whose the keys are, by key id; at least one
 */
record SignedStatementSettings(
    @Nullable URI url,
    @Nullable String authorization,
    @Nullable String tokenSha256,
    Map<String, PrincipalRef> signers) {

  private static final Set<String> KEYS = Set.of("url", "authorization", "token-sha256", "signers");
  private static final Set<String> SIGNER_KEYS = Set.of("kid", "id", "project");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern HEADER = Pattern.compile("[\\x20-\\x7e]{1,4096}");

  SignedStatementSettings {
    signers = Map.copyOf(signers);
  }

  static SignedStatementSettings read(JsonNode settings, Principal identity)
      throws InvalidProviderSettings {
    only(settings, "", KEYS);
    String token = text(settings, "", "token-sha256");
    if (token != null && !SHA256.matcher(token.toLowerCase(Locale.ROOT)).matches()) {
      throw new InvalidProviderSettings(
          "token-sha256", "the token's SHA-256 as 64 hexadecimal digits");
    }
    String authorization = text(settings, "", "authorization");
    if (authorization != null && !HEADER.matcher(authorization).matches()) {
      throw new InvalidProviderSettings("authorization", "the value of a header");
    }
    return new SignedStatementSettings(
        url(settings),
        authorization,
        token == null ? null : token.toLowerCase(Locale.ROOT),
        signers(settings, identity));
  }

  private static @Nullable URI url(JsonNode settings) throws InvalidProviderSettings {
    String text = text(settings, "", "url");
    if (text == null) {
      return null;
    }
    try {
      URI url = new URI(text);
      String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
      if (url.getHost() != null && (scheme.equals("https") || scheme.equals("http"))) {
        return url;
      }
    } catch (URISyntaxException e) {
      // told below, as every other address that is none
    }
    throw new InvalidProviderSettings("url", "an absolute http or https URL");
  }

  private static Map<String, PrincipalRef> signers(JsonNode settings, Principal identity)
      throws InvalidProviderSettings {
    JsonNode list = settings.path("signers");
    if (!list.isArray() || list.isEmpty()) {
      throw new InvalidProviderSettings(
          "signers", "a list of at least one { kid = \"…\", id = \"…\" }");
    }
    Map<String, PrincipalRef> signers = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      String path = "signers." + i + ".";
      JsonNode signer = list.get(i);
      only(signer, path, SIGNER_KEYS);
      String keyId = text(signer, path, "kid");
      if (keyId == null) {
        throw new InvalidProviderSettings(path + "kid", "a key id");
      }
      String id = text(signer, path, "id");
      String project = text(signer, path, "project");
      PrincipalRef whose =
          new PrincipalRef(
              identity.org(),
              project == null ? identity.project() : project,
              id == null ? identity.id() : id);
      if (signers.putIfAbsent(keyId, whose) != null) {
        throw new InvalidProviderSettings(path + "kid", "a key id that is not in the list twice");
      }
    }
    return signers;
  }

  private static void only(JsonNode object, String path, Set<String> keys)
      throws InvalidProviderSettings {
    if (!object.isObject()) {
      throw new InvalidProviderSettings(
          path.isEmpty() ? "settings" : path.substring(0, path.length() - 1), "an object");
    }
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!keys.contains(name)) {
        throw new InvalidProviderSettings(
            path + name,
            "one of the known keys " + String.join(", ", new java.util.TreeSet<>(keys)));
      }
    }
  }

  private static @Nullable String text(JsonNode object, String path, String key)
      throws InvalidProviderSettings {
    JsonNode value = object.get(key);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw new InvalidProviderSettings(path + key, "a text");
    }
    return value.textValue();
  }
}
