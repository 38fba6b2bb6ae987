package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigFactory;
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
    if (text == null && value(key) == null) {
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
    return quantity(key, Quantity.integer(min, max), min, null);
  }

  long bytes(String key, long min, long max, @Nullable Long absent) {
    return quantity(key, Quantity.bytes(min, max), min, absent);
  }

  Duration duration(String key, Duration min, Duration max, @Nullable Duration absent) {
    return quantity(key, Quantity.duration(min, max), min, absent);
  }

  boolean flag(String key, boolean absent) {
    return quantity(key, Quantity.flag(), absent, absent);
  }

  private <T> T quantity(String key, Quantity<T> quantity, T placeholder, @Nullable T absent) {
    ConfigValue value = value(key);
    if (value == null && absent != null && object.get(key) == null) {
      return absent;
    }
    T read = value == null ? null : quantity.read(value);
    if (read == null) {
      wrong(key, quantity.expected());
      return placeholder;
    }
    return read;
  }

  <E extends Enum<E> & WireName> @Nullable E choice(String key, Class<E> type) {
    String text = optionalText(key);
    if (text == null) {
      if (value(key) == null) {
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

  /**
   * The block under a key, an empty one if it is missing; one that is no object is the only problem
   * noted of it.
   */
  Section section(String key) {
    Section section = optionalSection(key);
    if (section != null) {
      return section;
    }
    Problems noted = value(key) == null ? problems : new Problems();
    return new Section(emptyObject(object.origin()), pathOf(key), noted);
  }

  private static ConfigObject emptyObject(ConfigOrigin origin) {
    return ConfigFactory.empty().root().withOrigin(origin);
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
