package dev.heldcall.config;

import com.typesafe.config.ConfigOrigin;
import java.util.Map;

/** Where the parts of documents were read from: a lookup by section and RFC 6901 pointer. */
public final class Places {

  private final Map<String, String> places;

  Places(Map<String, String> places) {
    this.places = Map.copyOf(places);
  }

  /** The {@code file:line} of the part, or of the nearest known part around it. */
  public String of(String section, String pointer) {
    String at = pointer;
    while (true) {
      String place = places.get(key(section, at));
      if (place != null) {
        return place;
      }
      int parent = at.lastIndexOf('/');
      if (parent < 0) {
        return "configuration";
      }
      at = at.substring(0, parent);
    }
  }

  static String key(String section, String pointer) {
    return section + "#" + pointer;
  }

  /** One origin as {@code file:line}, or as its own description when it is no file. */
  static String text(ConfigOrigin origin) {
    String file = origin.filename();
    if (file == null) {
      String resource = origin.resource();
      file = resource == null ? null : "built-in " + resource;
    }
    if (file == null) {
      return origin.description();
    }
    return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
  }
}
