package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.heldcall.plugin.api.WireName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One block of the configuration, read key by key. A key that is wrong or missing is noted as a
 * problem and answered with a placeholder within its bounds, so that reading goes on; {@link #end}
 * notes every key that nobody asked for.
 */
final class Section {

  private final ConfigObject object;
  private final String path;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();

  Section(ConfigObject object, String path, Problems problems) {
    this.object = object;
    this.path = path;
    this.problems = problems;
  }

  String path() {
    return path;
  }

  ConfigOrigin origin() {
    return object.origin();
  }

  /** Whether the key has a value other than null; knows the key. */
  boolean has(String key) {
    return value(key) != null;
  }

  /** The value, or null if it is missing or null; knows the key. */
  @Nullable ConfigValue value(String key) {
    known.add(key);
    ConfigValue value = object.get(key);
    return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
  }

  String pathOf(String key) {
    return path + "." + ConfigUtil.joinPath(key);
  }

  /** Notes that the key's value is not what it should be. */
  void wrong(String key, String expected) {
    ConfigValue value = object.get(key);
    if (value == null) {
      problems.add(pathOf(key), origin(), expected, "nothing");
    } else {
      problems.wrong(pathOf(key), value, expected);
    }
  }

  String text(String key, String placeholder) {
    String text = optionalText(key);
    if (text == null && object.get(key) == null) {
      wrong(key, "a text");
    }
    return text == null ? placeholder : text;
  }

  @Nullable String optionalText(String key) {
    ConfigValue value = value(key);
    if (value == null) {
      return null;
    }
    if (value.valueType() == ConfigValueType.OBJECT || value.valueType() == ConfigValueType.LIST) {
      wrong(key, "a text");
      return null;
    }
    String text = String.valueOf(value.unwrapped());
    if (text.isEmpty()) {
      wrong(key, "a text that is not empty");
      return null;
    }
    return text;
  }

  int integer(String key, int min, int max) {
    String expected = "an integer from " + min + " to " + max;
    ConfigValue value = value(key);
    if (value != null) {
      try {
        int number = value.atKey("v").getInt("v");
        if (number >= min && number <= max && isIntegral(value)) {
          return number;
        }
      } catch (ConfigException e) {
        // noted below, with the place
      }
    }
    wrong(key, expected);
    return min;
  }

  private static boolean isIntegral(ConfigValue value) {
    return !(value.unwrapped() instanceof Double number) || number == Math.rint(number);
  }

  long bytes(String key, long min, long max, @Nullable Long absent) {
    String expected = "a size from " + min + " to " + max + " bytes, such as 64 KiB";
    ConfigValue value = value(key);
    if (value == null && absent != null) {
      return absent;
    }
    if (value != null) {
      try {
        long size = value.atKey("v").getBytes("v");
        if (size >= min && size <= max) {
          return size;
        }
      } catch (ConfigException e) {
        // noted below, with the place
      }
    }
    wrong(key, expected);
    return min;
  }

  Duration duration(String key, Duration min, Duration max, @Nullable Duration absent) {
    String expected = "a duration from " + spelt(min) + " to " + spelt(max) + ", such as 10s";
    ConfigValue value = value(key);
    if (value == null && absent != null) {
      return absent;
    }
    if (value != null) {
      try {
        Duration duration = value.atKey("v").getDuration("v");
        if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
          return duration;
        }
      } catch (ConfigException e) {
        // noted below, with the place
      }
    }
    wrong(key, expected);
    return min;
  }

  static String spelt(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    return seconds != 0 && seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds + "s";
  }

  boolean flag(String key, boolean absent) {
    ConfigValue value = value(key);
    if (value == null) {
      return absent;
    }
    try {
      return value.atKey("v").getBoolean("v");
    } catch (ConfigException e) {
      wrong(key, "true or false");
      return absent;
    }
  }

  <E extends Enum<E> & WireName> @Nullable E choice(String key, Class<E> type) {
    String text = optionalText(key);
    if (text == null) {
      if (object.get(key) == null) {
        wrong(key, spellings(type));
      }
      return null;
    }
    try {
      return WireName.parse(type, text);
    } catch (IllegalArgumentException e) {
      wrong(key, spellings(type));
      return null;
    }
  }

  /** The constants named by a list; a name that does not exist is a problem. */
  <E extends Enum<E> & WireName> Set<E> choices(String key, Class<E> type) {
    Set<E> all = new LinkedHashSet<>();
    for (String name : texts(key)) {
      try {
        all.add(WireName.parse(type, name));
      } catch (IllegalArgumentException e) {
        problems.add(pathOf(key), placeOf(key), "a list of " + spellings(type), "\"" + name + "\"");
      }
    }
    return all;
  }

  private ConfigOrigin placeOf(String key) {
    ConfigValue value = object.get(key);
    return value == null ? origin() : value.origin();
  }

  private static <E extends Enum<E> & WireName> String spellings(Class<E> type) {
    return "one of "
        + Stream.of(type.getEnumConstants())
            .map(WireName::wireName)
            .collect(Collectors.joining(", "));
  }

  /** The texts of a list, empty if the key is missing. */
  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    ConfigValue value = value(key);
    if (value == null) {
      return texts;
    }
    if (!(value instanceof ConfigList list)) {
      wrong(key, "a list of texts");
      return texts;
    }
    for (ConfigValue item : list) {
      if (item.unwrapped() instanceof String text && !text.isEmpty()) {
        texts.add(text);
      } else {
        problems.wrong(pathOf(key), item, "a list of texts");
      }
    }
    return texts;
  }

  /** The block under a key, an empty one if it is missing. */
  Section section(String key) {
    Section section = optionalSection(key);
    return section == null
        ? new Section(emptyObject(object.origin()), pathOf(key), problems)
        : section;
  }

  private static ConfigObject emptyObject(ConfigOrigin origin) {
    return com.typesafe.config.ConfigFactory.empty().root().withOrigin(origin);
  }

  @Nullable Section optionalSection(String key) {
    ConfigValue value = value(key);
    if (value == null) {
      return null;
    }
    if (value instanceof ConfigObject block) {
      return new Section(block, pathOf(key), problems);
    }
    wrong(key, "an object");
    return null;
  }

  /** The blocks of a list, empty if the key is missing. */
  List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    ConfigValue value = value(key);
    if (value == null) {
      return sections;
    }
    if (!(value instanceof ConfigList list)) {
      wrong(key, "a list of objects");
      return sections;
    }
    for (int i = 0; i < list.size(); i++) {
      String at = pathOf(key) + "[" + i + "]";
      if (list.get(i) instanceof ConfigObject item) {
        sections.add(new Section(item, at, problems));
      } else {
        problems.wrong(at, list.get(i), "an object");
      }
    }
    return sections;
  }

  /** Every key's block, whatever the keys are; a name may contain dots. */
  Map<String, Section> entries() {
    Map<String, Section> entries = new LinkedHashMap<>();
    object.keySet().stream()
        .sorted()
        .forEach(
            key -> {
              Section section = optionalSection(key);
              if (section != null) {
                entries.put(key, section);
              }
            });
    return entries;
  }

  /** The JSON object under a key exactly as written, or null if it is missing. */
  @Nullable JsonNode verbatim(String key) {
    ConfigValue value = value(key);
    if (value == null) {
      return null;
    }
    if (value.valueType() != ConfigValueType.OBJECT) {
      wrong(key, "a JSON object");
      return null;
    }
    return HoconJson.verbatim(value);
  }

  /** Notes a known key that this release refuses. */
  void refuse(String key, String expected) {
    if (has(key)) {
      wrong(key, expected);
    }
  }

  /** Notes every key that nobody asked for, with the nearest known one. */
  void end() {
    object.keySet().stream()
        .filter(key -> !known.contains(key))
        .sorted()
        .forEach(
            key -> {
              String nearest = NearestName.of(key.toLowerCase(Locale.ROOT), known);
              problems.add(
                  pathOf(key),
                  placeOf(key),
                  "one of the known keys " + String.join(", ", known),
                  "an unknown key" + (nearest == null ? "" : " (did you mean '" + nearest + "'?)"));
            });
  }
}
