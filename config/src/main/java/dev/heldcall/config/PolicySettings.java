package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The policy documents as configured ({@code heldcall.policy}), as JSON of the shape that the
 * policy API reads and writes: snake_case keys, durations in seconds. Their meaning is checked by
 * the kernel, not here.
 *
 * @param floor the floor's document
 * @param organizations the first documents by organization; an organization's own later change wins
 * @param projects by {@code org/project}; always empty in this release
 * @param users by {@code org/principal}; always empty in this release
 * @param places where each part was read from
 */
public record PolicySettings(
    JsonNode floor,
    Map<String, JsonNode> organizations,
    Map<String, JsonNode> projects,
    Map<String, JsonNode> users,
    Places places) {

  public PolicySettings {
    organizations = Collections.unmodifiableMap(new LinkedHashMap<>(organizations));
    projects = Collections.unmodifiableMap(new LinkedHashMap<>(projects));
    users = Collections.unmodifiableMap(new LinkedHashMap<>(users));
  }

  /**
   * Where a part of a document was read from, as {@code file:line}, or the place of the nearest
   * part around it.
   *
   * @param section {@code floor}, {@code organizations.<org>}, or {@code tools} for the registry
   * @param pointer RFC 6901, within that section
   */
  public String place(String section, String pointer) {
    return places.of(section, pointer);
  }
}
