package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Witnesses behind a service that is told by webhooks (docs/guides/witness-webhook.md). */
public final class WebhookType implements WitnessProviderType {

  static final String KIND = "webhook";

  @Override
  public String kind() {
    return KIND;
  }

  /** By {@code webhook-id}, which is the same each time. */
  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public WitnessProvider create(
      ProviderContract contract, JsonNode settings, ProviderServices services)
      throws InvalidProviderSettings {
    return new WebhookProvider(contract, WebhookSettings.read(settings, contract), services);
  }
}
