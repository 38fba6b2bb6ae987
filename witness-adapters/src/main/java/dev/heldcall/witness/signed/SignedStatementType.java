package dev.heldcall.witness.signed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Makes witnesses of the kind {@code signed-statement}. */
public final class SignedStatementType implements WitnessProviderType {

  /** For the service loader. */
  public SignedStatementType() {}

  @Override
  public String kind() {
    return "signed-statement";
  }

  /** The service tells requests apart by their id, and answers the same one alike. */
  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public WitnessProvider create(
      ProviderContract contract, JsonNode settings, ProviderServices services)
      throws InvalidProviderSettings {
    return new SignedStatementProvider(
        contract, SignedStatementSettings.read(settings, contract.identity()), services);
  }
}
