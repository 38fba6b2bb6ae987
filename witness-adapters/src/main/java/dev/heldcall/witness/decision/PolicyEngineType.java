package dev.heldcall.witness.decision;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Witnesses that are policy engines (docs/guides/witness-policy-engine.md). */
public final class PolicyEngineType implements WitnessProviderType {

  static final String KIND = "policy-engine";

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public WitnessProvider create(
      ProviderContract contract, JsonNode settings, ProviderServices services)
      throws InvalidProviderSettings {
    return new PolicyEngineProvider(
        contract, new PolicyEngineSettingsReader(settings).read(), services);
  }
}
