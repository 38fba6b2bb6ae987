package dev.heldcall.witness.governed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/**
 * Witnesses that call a tool, governed like every other call
 * (docs/guides/witness-governed-call.md).
 */
public final class GovernedCallType implements WitnessProviderType {

  static final String KIND = "governed-call";

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
    return new GovernedCallProvider(
        contract, GovernedCallSettings.read(contract, settings), services);
  }
}
