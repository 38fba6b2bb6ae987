package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.NamedPeople;
import dev.heldcall.witness.evidence.SettingsObject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code slack} provider.
 *
 * @param token the bot's token
 * @param signature what Slack signs with
 * @param api where methods are called, without a slash at the end
 * @param hooks where answers to clicks may be sent, without a slash at the end
 * @param channels which channel a tool's requests go to
 * @param people who may answer, by Slack's user ids
 * @param team the only workspace whose people may, or null
 * @param remindBefore how long before a call's end a reminder is posted, longest first
 * @param maxAtOnce how many requests may be on their way at once
 * @param historyPage how many messages of a channel are read at once
 */
record SlackSettings(
    String token,
    SlackSignature signature,
    URI api,
    URI hooks,
    SlackChannels channels,
    Map<String, PrincipalRef> people,
    @Nullable String team,
    List<Duration> remindBefore,
    int maxAtOnce,
    int historyPage) {

  private static final String API = "https://slack.com/api";
  private static final String HOOKS = "https://hooks.slack.com";

  private static final Pattern TOKEN = Pattern.compile("[!-~]{8,512}");
  private static final Pattern SECRET = Pattern.compile("[!-~]{16,128}");
  private static final Pattern USER = Pattern.compile("[UW][A-Z0-9]{2,31}");
  private static final Pattern TEAM = Pattern.compile("[TE][A-Z0-9]{2,31}");

  private static final int MAX_REMINDERS = 8;
  private static final Duration LEAST_REMINDER = Duration.ofSeconds(1);
  private static final Duration MOST_REMINDER = Duration.ofDays(30);
  private static final int AT_ONCE = 16;
  private static final int MOST_AT_ONCE = 256;
  private static final int PAGE = 15;
  private static final int MOST_PAGE = 200;

  SlackSettings {
    people = Map.copyOf(people);
    remindBefore = List.copyOf(remindBefore);
  }

  static SlackSettings read(JsonNode node, ProviderContract contract)
      throws InvalidProviderSettings {
    SettingsObject settings = SettingsObject.of(node);
    SlackSettings read =
        new SlackSettings(
            token(settings),
            signature(settings),
            url(settings, "api", API),
            url(settings, "hooks", HOOKS),
            SlackChannels.read(settings),
            people(settings, contract),
            team(settings),
            settings.durations("remind", MAX_REMINDERS, LEAST_REMINDER, MOST_REMINDER),
            settings.integer("max-at-once", AT_ONCE, 1, MOST_AT_ONCE),
            settings.integer("history-page", PAGE, 1, MOST_PAGE));
    settings.done();
    return read;
  }

  private static String token(SettingsObject settings) throws InvalidProviderSettings {
    String token = settings.secret("token");
    if (token == null || !TOKEN.matcher(token).matches()) {
      throw settings.wrong("token", "a bot token such as xoxb-…, or token-env");
    }
    return token;
  }

  private static SlackSignature signature(SettingsObject settings) throws InvalidProviderSettings {
    String secret = secret(settings, "signing-secret");
    if (secret == null) {
      throw settings.wrong("signing-secret", "the app's signing secret, or signing-secret-env");
    }
    return SlackSignature.of(secret, secret(settings, "previous-signing-secret"));
  }

  private static @Nullable String secret(SettingsObject settings, String key)
      throws InvalidProviderSettings {
    String secret = settings.secret(key);
    if (secret != null && !SECRET.matcher(secret).matches()) {
      throw settings.wrong(key, "16 to 128 characters without blanks");
    }
    return secret;
  }

  private static URI url(SettingsObject settings, String key, String otherwise)
      throws InvalidProviderSettings {
    String url = settings.has(key) ? settings.url(key).toString() : otherwise;
    return URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
  }

  private static Map<String, PrincipalRef> people(
      SettingsObject settings, ProviderContract contract) throws InvalidProviderSettings {
    Map<String, PrincipalRef> people = NamedPeople.read(settings, contract);
    for (String name : people.keySet()) {
      if (!USER.matcher(name).matches()) {
        throw settings.wrong("people", "Slack user ids such as U2CERLKJA, not names");
      }
    }
    return people;
  }

  private static @Nullable String team(SettingsObject settings) throws InvalidProviderSettings {
    String team = settings.optionalText("team");
    if (team != null && !TEAM.matcher(team).matches()) {
      throw settings.wrong("team", "a workspace id such as T1DC2JH3J");
    }
    return team;
  }

  @Override
  public String toString() {
    return "SlackSettings[" + api + "]"; // never the token
  }
}
