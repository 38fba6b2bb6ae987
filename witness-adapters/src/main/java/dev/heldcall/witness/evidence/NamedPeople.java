package dev.heldcall.witness.evidence;

import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import java.util.Map;
import java.util.TreeMap;

/** Whom the names stand for that the other side has for people. */
public final class NamedPeople {

  /** The most people. */
  public static final int MAX_PEOPLE = 10_000;

  private NamedPeople() {}

  /**
   * Reads {@code people}: for each name an object of {@code id}, and {@code project} unless it is
   * the provider's own. All are of the provider's organization.
   *
   * @throws InvalidProviderSettings if one of them is wrong, or there are over {@value #MAX_PEOPLE}
   */
  public static Map<String, PrincipalRef> read(SettingsObject settings, ProviderContract contract)
      throws InvalidProviderSettings {
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
