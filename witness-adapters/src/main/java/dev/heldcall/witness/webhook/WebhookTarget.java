package dev.heldcall.witness.webhook;

import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.SettingsObject;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where webhooks go.
 *
 * @param url the address
 * @param keys what they are signed with
 * @param maxAtOnce how many may be on their way at once
 */
public record WebhookTarget(URI url, WebhookKeys keys, int maxAtOnce) {

  private static final int AT_ONCE = 16;
  private static final int MOST_AT_ONCE = 256;

  /**
   * Reads {@code url}, {@code secret}, {@code previous-secret} and {@code max-at-once}.
   *
   * @throws InvalidProviderSettings if one of them is wrong
   */
  public static WebhookTarget read(SettingsObject settings) throws InvalidProviderSettings {
    URI url = settings.url("url");
    String secret = secret(settings, "secret");
    if (secret == null) {
      throw settings.wrong("secret", "a secret, or secret-env");
    }
    return new WebhookTarget(
        url,
        WebhookKeys.of(secret, secret(settings, "previous-secret")),
        settings.integer("max-at-once", AT_ONCE, 1, MOST_AT_ONCE));
  }

  private static @Nullable String secret(SettingsObject settings, String key)
      throws InvalidProviderSettings {
    String secret = settings.secret(key);
    if (secret != null && !WebhookKeys.isSecret(secret)) {
      throw settings.wrong(key, WebhookKeys.PREFIX + " and 24 to 64 bytes in Base64");
    }
    return secret;
  }
}
