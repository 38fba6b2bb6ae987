package dev.heldcall.witness.peer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Witnesses that are models (docs/guides/witness-peer-model.md). */
public final class PeerModelType implements WitnessProviderType {

  static final String KIND = "peer-model";

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
    return new PeerModelProvider(
        contract,
        new PeerSettingsReader(contract, settings).read(),
        services,
        PeerModelProvider::randomNonce);
  }
}
