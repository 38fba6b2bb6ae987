package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.SettingsObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  private static final int MAX_PEOPLE = 10_000;

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
            people(settings, contract),
            settings.durations("remind", MAX_REMINDERS, LEAST_REMINDER, MOST_REMINDER));
    settings.done();
    return read;
  }

  private static Map<String, PrincipalRef> people(
      SettingsObject settings, ProviderContract contract) throws InvalidProviderSettings {
    SettingsObject named = settings.optionalObject("people");
    Map<String, PrincipalRef> people = new TreeMap<>();
    if (named == null) {
      return people;
    }
    for (String name : named.keys()) {
      SettingsObject person = named.object(name);
      String project = person.optionalText("project");
      people.put(
          name,
          new PrincipalRef(
              contract.identity().org(),
              project == null ? contract.identity().project() : project,
              person.text("id")));
      person.done();
    }
    if (people.size() > MAX_PEOPLE) {
      throw settings.wrong("people", "at most " + MAX_PEOPLE);
    }
    return people;
  }
}
