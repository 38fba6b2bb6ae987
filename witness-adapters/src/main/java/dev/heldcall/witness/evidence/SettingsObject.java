package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object of a provider's settings, read key by key; what is left over at the end is a mistake.
 */
public final class SettingsObject {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  private final JsonNode node;
  private final String path;
  private final Set<String> known = new HashSet<>();

  private SettingsObject(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  /**
   * The settings themselves.
   *
   * @throws InvalidProviderSettings if they are no object
   */
  public static SettingsObject of(JsonNode settings) throws InvalidProviderSettings {
    if (!settings.isObject()) {
      throw new InvalidProviderSettings("settings", "an object");
    }
    return new SettingsObject(settings, "");
  }

  /** The keys that there are. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>();
    node.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** Whether a key is there. */
  public boolean has(String key) {
    return node.hasNonNull(key);
  }

  /** Any value; null if it is not there. */
  public @Nullable JsonNode value(String key) {
    known.add(key);
    return node.get(key);
  }

  /** A text that must be there. */
  public String text(String key) throws InvalidProviderSettings {
    String text = optionalText(key);
    if (text == null) {
      throw wrong(key, "a text");
    }
    return text;
  }

  /** A text, or null. */
  public @Nullable String optionalText(String key) throws InvalidProviderSettings {
    JsonNode value = value(key);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw wrong(key, "a text");
    }
    return value.textValue();
  }

  /** One of several words. */
  public String word(String key, String otherwise, List<String> words)
      throws InvalidProviderSettings {
    String word = optionalText(key);
    if (word == null) {
      return otherwise;
    }
    if (!words.contains(word)) {
      throw wrong(key, "one of " + String.join(", ", words));
    }
    return word;
  }

  /** A whole number within bounds. */
  public int integer(String key, int otherwise, int least, int most)
      throws InvalidProviderSettings {
    JsonNode value = value(key);
    if (value == null) {
      return otherwise;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw wrong(key, "a whole number from " + least + " to " + most);
    }
    return value.intValue();
  }

  /** A duration such as 10s, within bounds. */
  public Duration duration(String key, Duration otherwise, Duration least, Duration most)
      throws InvalidProviderSettings {
    String text = optionalText(key);
    if (text == null) {
      return otherwise;
    }
    Duration duration = parse(text);
    if (duration == null || duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw wrong(
          key,
          "a duration such as 10s, from "
              + DurationText.of(least)
              + " to "
              + DurationText.of(most));
    }
    return duration;
  }

  /** Durations within bounds, longest first; empty if they are not there. */
  public List<Duration> durations(String key, int atMost, Duration least, Duration most)
      throws InvalidProviderSettings {
    List<Duration> durations = new ArrayList<>();
    for (String text : texts(key)) {
      Duration duration = parse(text);
      if (duration == null
          || duration.compareTo(least) < 0
          || duration.compareTo(most) > 0
          || durations.contains(duration)) {
        throw wrong(
            key,
            "a list of different durations such as 10s, from "
                + DurationText.of(least)
                + " to "
                + DurationText.of(most));
      }
      durations.add(duration);
    }
    if (durations.size() > atMost) {
      throw wrong(key, "at most " + atMost + " durations");
    }
    durations.sort(Comparator.reverseOrder());
    return durations;
  }

  private static @Nullable Duration parse(String text) {
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    long amount = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** A JSON Pointer that must be there. */
  public JsonPointer pointer(String key) throws InvalidProviderSettings {
    return pointer(text(key), key);
  }

  /** A JSON Pointer, or null. */
  public @Nullable JsonPointer optionalPointer(String key) throws InvalidProviderSettings {
    String text = optionalText(key);
    return text == null ? null : pointer(text, key);
  }

  /** A text as a JSON Pointer. */
  public JsonPointer pointer(String text, String key) throws InvalidProviderSettings {
    try {
      return JsonPointer.compile(text);
    } catch (IllegalArgumentException e) {
      throw wrong(key, "a JSON Pointer such as /order_id");
    }
  }

  /**
   * A secret, or null: under its key, or in the environment variable that {@code <key>-env} names.
   */
  public @Nullable String secret(String key) throws InvalidProviderSettings {
    String text = optionalText(key);
    String variable = optionalText(key + "-env");
    if (variable == null) {
      return text;
    }
    if (text != null) {
      throw wrong(key + "-env", "only one of " + key + " and " + key + "-env");
    }
    String value = System.getenv(variable);
    if (value == null || value.isEmpty()) {
      throw wrong(key + "-env", "the name of an environment variable that is set");
    }
    return value;
  }

  /** An http or https URL that must be there, without user, query and fragment. */
  public URI url(String key) throws InvalidProviderSettings {
    String expected = "an absolute http or https URL without user, query and fragment";
    try {
      URI url = new URI(text(key));
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (!isHttp
          || url.getHost() == null
          || url.getRawUserInfo() != null
          || url.getRawQuery() != null
          || url.getRawFragment() != null) {
        throw wrong(key, expected);
      }
      return url;
    } catch (URISyntaxException e) {
      throw wrong(key, expected);
    }
  }

  /**
   * The places of the arguments that must be shown to a service that judges a call whole; all of
   * them unless said otherwise.
   */
  public List<JsonPointer> needs() throws InvalidProviderSettings {
    if (!has("needs")) {
      known.add("needs");
      return List.of(JsonPointer.empty());
    }
    List<JsonPointer> needs = new ArrayList<>();
    for (String text : texts("needs")) {
      needs.add(pointer(text, "needs"));
    }
    return needs;
  }

  /** A list's elements; empty if it is not there. */
  public List<JsonNode> list(String key) throws InvalidProviderSettings {
    JsonNode value = value(key);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw wrong(key, "a list");
    }
    List<JsonNode> elements = new ArrayList<>();
    value.forEach(elements::add);
    return elements;
  }

  /** A list of texts; empty if it is not there. */
  public List<String> texts(String key) throws InvalidProviderSettings {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : list(key)) {
      if (!element.isTextual()) {
        throw wrong(key, "a list of texts");
      }
      texts.add(element.textValue());
    }
    return texts;
  }

  /** An object that must be there. */
  public SettingsObject object(String key) throws InvalidProviderSettings {
    SettingsObject object = optionalObject(key);
    if (object == null) {
      throw wrong(key, "an object");
    }
    return object;
  }

  /** An object, or null. */
  public @Nullable SettingsObject optionalObject(String key) throws InvalidProviderSettings {
    JsonNode value = value(key);
    if (value == null || value.isNull()) {
      return null;
    }
    return nested(key, value);
  }

  /** A value as an object of its own. */
  public SettingsObject nested(String key, JsonNode value) throws InvalidProviderSettings {
    if (!value.isObject()) {
      throw wrong(key, "an object");
    }
    return new SettingsObject(value, at(key) + ".");
  }

  /**
   * Ends the reading.
   *
   * @throws InvalidProviderSettings if there are keys that nobody asked for
   */
  public void done() throws InvalidProviderSettings {
    for (String key : keys()) {
      if (!known.contains(key)) {
        throw wrong(key, "one of the keys " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }

  /** A mistake at a key. */
  public InvalidProviderSettings wrong(String key, String expected) {
    return new InvalidProviderSettings(at(key), expected);
  }

  private String at(String key) {
    return path + key;
  }
}
