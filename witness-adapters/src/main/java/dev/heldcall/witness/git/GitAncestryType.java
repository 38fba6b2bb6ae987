package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;

/** Witnesses that look at git repositories (docs/guides/witness-git-ancestry.md). */
public final class GitAncestryType implements WitnessProviderType {

  static final String KIND = "git-ancestry";

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
    return new GitAncestryProvider(
        contract, new GitAncestrySettingsReader(settings).read(), services);
  }
}
