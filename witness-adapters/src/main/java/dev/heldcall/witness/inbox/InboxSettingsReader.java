package dev.heldcall.witness.inbox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.SettingsObject;
import dev.heldcall.witness.inbox.InboxSettings.Assign;
import dev.heldcall.witness.inbox.InboxSettings.Delegation;
import dev.heldcall.witness.inbox.InboxSettings.Reassign;
import dev.heldcall.witness.webhook.WebhookTarget;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link InboxSettings}; a name that nobody bears is a mistake, not a person of that name.
 */
final class InboxSettingsReader {

  private static final int MAX_GROUPS = 256;
  private static final int MAX_MEMBERS = 100;
  private static final int MAX_LINES = 200;
  private static final int MAX_REASSIGN = 16;
  private static final int MAX_REMINDERS = 8;
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofDays(365);
  private static final Duration UNUSED = Duration.ZERO;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._@+-]{0,127}");

  private final SettingsObject settings;
  private final Map<String, List<String>> groups = new LinkedHashMap<>();
  private final Set<String> people = new HashSet<>();

  InboxSettingsReader(JsonNode node) throws InvalidProviderSettings {
    this.settings = SettingsObject.of(node);
  }

  InboxSettings read() throws InvalidProviderSettings {
    readPeople();
    readGroups();
    List<Assign> assign = new ArrayList<>();
    for (SettingsObject line : lines("assign", MAX_LINES)) {
      assign.add(new Assign(tools(line), bearer(line, "to")));
      line.done();
    }
    SettingsObject tell = settings.optionalObject("notify");
    InboxSettings read =
        new InboxSettings(
            groups,
            assign,
            reassign(),
            delegations(),
            settings.durations("remind", MAX_REMINDERS, LEAST, MOST),
            tell == null ? null : WebhookTarget.read(tell));
    if (tell != null) {
      tell.done();
    }
    settings.done();
    return read;
  }

  private void readPeople() throws InvalidProviderSettings {
    for (String name : settings.texts("people")) {
      people.add(name(settings, "people", name));
    }
  }

  private void readGroups() throws InvalidProviderSettings {
    SettingsObject named = settings.optionalObject("groups");
    if (named == null) {
      return;
    }
    for (String group : named.keys()) {
      List<String> members = new ArrayList<>(new LinkedHashSet<>(named.texts(group)));
      if (members.isEmpty() || members.size() > MAX_MEMBERS) {
        throw named.wrong(group, "a list of 1 to " + MAX_MEMBERS + " people");
      }
      for (String member : members) {
        people.add(name(named, group, member));
      }
      groups.put(name(named, group, group), members);
    }
    if (groups.size() > MAX_GROUPS) {
      throw settings.wrong("groups", "at most " + MAX_GROUPS);
    }
    for (String group : groups.keySet()) {
      if (people.contains(group)) {
        throw named.wrong(group, "a name that no person has");
      }
    }
  }

  private static String name(SettingsObject at, String key, String name)
      throws InvalidProviderSettings {
    if (!NAME.matcher(name).matches()) {
      throw at.wrong(key, "names of 1 to 128 letters, digits and . _ @ + -");
    }
    return name;
  }

  private List<Reassign> reassign() throws InvalidProviderSettings {
    List<Reassign> reassign = new ArrayList<>();
    for (SettingsObject line : lines("reassign", MAX_REASSIGN)) {
      line.text("after");
      reassign.add(
          new Reassign(
              line.duration("after", UNUSED, LEAST, MOST), tools(line), bearer(line, "to")));
      line.done();
    }
    reassign.sort(Comparator.comparing(Reassign::after));
    return reassign;
  }

  private List<Delegation> delegations() throws InvalidProviderSettings {
    List<Delegation> delegations = new ArrayList<>();
    for (SettingsObject line : lines("delegations", MAX_LINES)) {
      String from = line.text("from");
      if (!people.contains(from)) {
        throw line.wrong("from", "a person of a group or of people");
      }
      Instant since = time(line, "since");
      Instant until = time(line, "until");
      if (since != null && until != null && !since.isBefore(until)) {
        throw line.wrong("until", "a time after since");
      }
      delegations.add(new Delegation(from, bearer(line, "to"), since, until, tools(line)));
      line.done();
    }
    return delegations;
  }

  private List<SettingsObject> lines(String key, int most) throws InvalidProviderSettings {
    List<SettingsObject> lines = new ArrayList<>();
    List<JsonNode> nodes = settings.list(key);
    if (nodes.size() > most) {
      throw settings.wrong(key, "at most " + most + " lines");
    }
    for (int i = 0; i < nodes.size(); i++) {
      lines.add(settings.nested(key + "." + i, nodes.get(i)));
    }
    return lines;
  }

  private String bearer(SettingsObject line, String key) throws InvalidProviderSettings {
    String name = line.text(key);
    if (!groups.containsKey(name) && !people.contains(name)) {
      throw line.wrong(key, "the name of a group, or a person of a group or of people");
    }
    return name;
  }

  private static ToolNames tools(SettingsObject line) throws InvalidProviderSettings {
    List<String> patterns = line.texts("tools");
    boolean none = line.has("tools") && patterns.isEmpty();
    if (none || !patterns.stream().allMatch(ToolNames::isPattern)) {
      throw line.wrong("tools", "tools such as money_transfer, money_* or *");
    }
    return new ToolNames(patterns);
  }

  private static @Nullable Instant time(SettingsObject line, String key)
      throws InvalidProviderSettings {
    String text = line.optionalText(key);
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw line.wrong(key, "a time such as 2027-01-01T00:00:00Z");
    }
  }
}
