package dev.heldcall.witness.database;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Witnesses that read a database (docs/guides/witness-database.md). */
public final class DatabaseType implements WitnessProviderType {

  static final String KIND = "database";

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
    return new DatabaseProvider(
        contract, new DatabaseSettingsReader(contract, settings).read(), services);
  }
}
