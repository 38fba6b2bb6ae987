package dev.heldcall.witness.peer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.SettingsObject;
import dev.heldcall.witness.peer.PeerSettings.ModelName;
import java.util.List;

/** Reads the settings of a {@code peer-model} provider. */
final class PeerSettingsReader {

  private static final int MAX_CRITERIA = 16_384;

  private final ProviderContract contract;
  private final SettingsObject settings;

  PeerSettingsReader(ProviderContract contract, JsonNode settings) throws InvalidProviderSettings {
    this.contract = contract;
    this.settings = SettingsObject.of(settings);
  }

  PeerSettings read() throws InvalidProviderSettings {
    String model = settings.text("model");
    PeerSettings read =
        new PeerSettings(
            settings.url("url"),
            settings.secret("token"),
            model,
            answeredBy(model),
            family(),
            PeerPrompt.of(criteria()),
            settings.word(
                "tokens-field",
                "max_completion_tokens",
                List.of("max_completion_tokens", "max_tokens")),
            settings.integer("max-tokens", 1024, 64, 8192),
            settings.integer("max-call", 65_536, 1024, 1_048_576),
            settings.integer("max-at-once", 4, 1, 64),
            settings.needs());
    settings.done();
    return read;
  }

  private ModelName answeredBy(String model) throws InvalidProviderSettings {
    String exact = settings.optionalText("answered-by");
    String prefix = settings.optionalText("answered-by-prefix");
    if (exact != null && prefix != null) {
      throw settings.wrong("answered-by-prefix", "only one of answered-by and answered-by-prefix");
    }
    return prefix == null
        ? new ModelName(exact == null ? model : exact, false)
        : new ModelName(prefix, true);
  }

  /** Said twice, so that a change of one without the other is noticed at start. */
  private String family() throws InvalidProviderSettings {
    String family = settings.text("model-family");
    if (!family.equals(contract.identity().modelFamily())) {
      throw settings.wrong(
          "model-family", "the model-family of the provider's identity, which must have one");
    }
    return family;
  }

  private String criteria() throws InvalidProviderSettings {
    String criteria = settings.text("criteria");
    if (criteria.length() > MAX_CRITERIA) {
      throw settings.wrong("criteria", "a text of at most " + MAX_CRITERIA + " characters");
    }
    return criteria;
  }
}
