package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.NamedPeople;
import dev.heldcall.witness.evidence.SettingsObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The settings of a {@code webhook} provider.
 *
 * @param target where requests go
 * @param people who may answer, by the service's names for them
 * @param remindBefore how long before a call's end it is reminded, longest first
 */
record WebhookSettings(
    WebhookTarget target, Map<String, PrincipalRef> people, List<Duration> remindBefore) {

  static final int MAX_REMINDERS = 8;
  static final Duration LEAST_REMINDER = Duration.ofSeconds(1);
  static final Duration MOST_REMINDER = Duration.ofDays(30);

  WebhookSettings {
    people = Map.copyOf(people);
    remindBefore = List.copyOf(remindBefore);
  }

  static WebhookSettings read(JsonNode node, ProviderContract contract)
      throws InvalidProviderSettings {
    SettingsObject settings = SettingsObject.of(node);
    WebhookSettings read =
        new WebhookSettings(
            WebhookTarget.read(settings),
            NamedPeople.read(settings, contract),
            settings.durations("remind", MAX_REMINDERS, LEAST_REMINDER, MOST_REMINDER));
    settings.done();
    return read;
  }
}
