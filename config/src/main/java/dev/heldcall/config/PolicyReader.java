package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Turns the policy block into documents of the policy API's shape: kebab-case keys become
 * snake_case, {@code expires = 10m} becomes {@code expires_s: 600}, and what a rule carries for
 * others ({@code args-patch}) stays as written. What the documents mean is the kernel's to judge.
 */
final class PolicyReader {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Keys whose content is somebody else's JSON. */
  private static final Set<String> VERBATIM = Set.of("args-patch", "args_patch", "schema");

  private final Problems problems;
  private final Map<String, String> places;

  PolicyReader(Problems problems, Map<String, String> places) {
    this.problems = problems;
    this.places = places;
  }

  PolicySettings read(Section policy) {
    JsonNode floor = NODES.objectNode();
    ConfigValue configured = policy.value("floor");
    if (configured instanceof ConfigObject) {
      floor = converted(configured, "floor", "", policy.pathOf("floor"));
    } else if (configured != null) {
      policy.wrong("floor", "an object");
    }
    Map<String, JsonNode> organizations = documents(policy, "organizations");
    refuseLayer(policy, "projects", "project");
    refuseLayer(policy, "users", "user");
    policy.end();
    return new PolicySettings(floor, organizations, Map.of(), Map.of(), new Places(places));
  }

  private Map<String, JsonNode> documents(Section policy, String key) {
    Map<String, JsonNode> documents = new TreeMap<>();
    if (policy.value(key) instanceof ConfigObject byName) {
      for (Map.Entry<String, ConfigValue> entry : byName.entrySet()) {
        String name = entry.getKey();
        ConfigValue document = entry.getValue();
        String path = policy.pathOf(key) + "." + ConfigUtil.joinPath(name);
        if (document instanceof ConfigObject) {
          documents.put(name, converted(document, key + "." + name, "", path));
        } else {
          problems.wrong(path, document, "an object");
        }
      }
    } else if (policy.has(key)) {
      policy.wrong(key, "an object");
    }
    return documents;
  }

  /** A rule that would be ignored is worse than a start that is refused. */
  private static void refuseLayer(Section policy, String key, String layer) {
    if (policy.value(key) instanceof ConfigObject entries && entries.isEmpty()) {
      return;
    }
    policy.refuse(key, "nothing: the " + layer + " layer is not in this release");
  }

  private JsonNode converted(ConfigValue value, String section, String pointer, String path) {
    places.put(Places.key(section, pointer), Places.text(value.origin()));
    if (value instanceof ConfigObject object) {
      return convertedObject(object, section, pointer, path);
    }
    if (value instanceof ConfigList list) {
      ArrayNode array = NODES.arrayNode();
      for (int i = 0; i < list.size(); i++) {
        array.add(converted(list.get(i), section, pointer + "/" + i, path + "[" + i + "]"));
      }
      return array;
    }
    return HoconJson.verbatim(value);
  }

  private ObjectNode convertedObject(
      ConfigObject object, String section, String pointer, String path) {
    ObjectNode converted = NODES.objectNode();
    boolean contract = pointer.endsWith("/contract");
    object.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry -> {
              String key = entry.getKey();
              ConfigValue value = entry.getValue();
              String at = path + "." + ConfigUtil.joinPath(key);
              if (contract && key.equals("expires")) {
                places.put(
                    Places.key(section, pointer + "/expires_s"), Places.text(value.origin()));
                converted.put("expires_s", seconds(value, at));
                return;
              }
              String name = key.replace('-', '_');
              String below = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
              if (VERBATIM.contains(key)) {
                places.put(Places.key(section, below), Places.text(value.origin()));
                converted.set(name, HoconJson.verbatim(value));
              } else {
                converted.set(name, converted(value, section, below, at));
              }
            });
    return converted;
  }

  private long seconds(ConfigValue value, String path) {
    try {
      Duration duration = value.atKey("v").getDuration("v");
      if (duration.toSeconds() >= 1 && duration.toMillis() % 1000 == 0) {
        return duration.toSeconds();
      }
    } catch (ConfigException e) {
      // noted below, with the place
    }
    problems.wrong(path, value, "a duration in whole seconds, such as 10m");
    return 1;
  }
}
