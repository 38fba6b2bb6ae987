package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** People in Slack (docs/guides/witness-slack.md). */
public final class SlackType implements WitnessProviderType {

  static final String KIND = "slack";

  @Override
  public String kind() {
    return KIND;
  }

  /** Slack posts a message as often as it is told to. */
  @Override
  public boolean repeatable() {
    return false;
  }

  @Override
  public WitnessProvider create(
      ProviderContract contract, JsonNode settings, ProviderServices services)
      throws InvalidProviderSettings {
    return new SlackProvider(contract, SlackSettings.read(settings, contract), services);
  }
}
