package dev.heldcall.config;

import com.typesafe.config.ConfigOrigin;
import java.util.Map;

/** Where the parts of documents were read from: a lookup by section and RFC 6901 pointer. */
public final class Places {

  private static final String MERGED = "merge of ";

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
      return nearest(origin.description());
    }
    return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
  }

  /** Of a block that several layers make together, the place in the one that wins. */
  private static String nearest(String description) {
    if (!description.startsWith(MERGED)) {
      return description;
    }
    int end = description.indexOf(',');
    String first = description.substring(MERGED.length(), end < 0 ? description.length() : end);
    return first.replaceFirst(": (\\d+)(-\\d+)?$", ":$1");
  }
}
