package dev.heldcall.config;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong, so that one start names every problem and not just the first. */
final class Problems {

  private static final int SHOWN_CHARS = 80;

  private final List<SettingsProblem> found = new ArrayList<>();

  void add(String key, ConfigOrigin origin, String expected, String found) {
    add(key, Places.text(origin), expected, found);
  }

  void add(String key, String place, String expected, String found) {
    this.found.add(new SettingsProblem(key, place, expected, found));
  }

  /** A value of the wrong kind or out of its bounds. */
  void wrong(String key, ConfigValue value, String expected) {
    add(key, value.origin(), expected, shown(key, value));
  }

  void throwIfAny() throws SettingsException {
    if (!found.isEmpty()) {
      throw new SettingsException(found);
    }
  }

  /** A value as an error may show it: short, and never a password. */
  private static String shown(String key, ConfigValue value) {
    if (key.endsWith("password")) {
      return "a value that is not shown";
    }
    if (value.valueType() == ConfigValueType.OBJECT) {
      return "an object";
    }
    if (value.valueType() == ConfigValueType.LIST) {
      return "a list";
    }
    String text = String.valueOf(value.unwrapped());
    String cut = text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "…" : text;
    return value.valueType() == ConfigValueType.STRING ? "\"" + cut + "\"" : cut;
  }
}
