package dev.heldcall.witness.signed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.witness.evidence.SettingsObject;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern HEADER = Pattern.compile("[\\x20-\\x7e]{1,4096}");

  SignedStatementSettings {
    signers = Map.copyOf(signers);
  }

  static SignedStatementSettings read(JsonNode node, Principal identity)
      throws InvalidProviderSettings {
    SettingsObject settings = SettingsObject.of(node);
    URI url = settings.has("url") ? settings.url("url") : null;
    String authorization = settings.secret("authorization");
    if (authorization != null && !HEADER.matcher(authorization).matches()) {
      throw settings.wrong("authorization", "the value of a header");
    }
    String token = settings.optionalText("token-sha256");
    String sha256 = token == null ? null : token.toLowerCase(Locale.ROOT);
    if (sha256 != null && !SHA256.matcher(sha256).matches()) {
      throw settings.wrong("token-sha256", "the token's SHA-256 as 64 hexadecimal digits");
    }
    Map<String, PrincipalRef> signers = signers(settings, identity);
    settings.done();
    return new SignedStatementSettings(url, authorization, sha256, signers);
  }

  private static Map<String, PrincipalRef> signers(SettingsObject settings, Principal identity)
      throws InvalidProviderSettings {
    Map<String, PrincipalRef> signers = new HashMap<>();
    int index = 0;
    for (JsonNode each : settings.list("signers")) {
      SettingsObject signer = settings.nested("signers." + index++, each);
      String keyId = signer.text("kid");
      String id = signer.optionalText("id");
      String project = signer.optionalText("project");
      signer.done();
      PrincipalRef whose =
          new PrincipalRef(
              identity.org(),
              project == null ? identity.project() : project,
              id == null ? identity.id() : id);
      if (signers.putIfAbsent(keyId, whose) != null) {
        throw signer.wrong("kid", "a key id that is not in the list twice");
      }
    }
    if (signers.isEmpty()) {
      throw settings.wrong("signers", "a list of at least one { kid = \"…\", id = \"…\" }");
    }
    return signers;
  }
}
