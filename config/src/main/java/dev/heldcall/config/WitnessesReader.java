package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the witness providers ({@code heldcall.witnesses}). */
final class WitnessesReader {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
  private static final Pattern CLASS = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final long MIB = 1L << 20;
  private static final int MAX_COST = 1_000_000;

  private WitnessesReader() {}

  static Map<String, WitnessSettings> read(Section witnesses) {
    Map<String, WitnessSettings> all = new TreeMap<>();
    witnesses
        .entries()
        .forEach(
            (id, block) -> {
              if (!NAME.matcher(id).matches()) {
                witnesses.wrong(id, "a name of at most 32 lower-case letters, digits and hyphens");
              }
              all.put(id, provider(id, block));
            });
    return all;
  }

  private static WitnessSettings provider(String id, Section block) {
    String kind = block.text("kind", "none");
    String witnessClass = block.text("class", "none");
    if (!CLASS.matcher(witnessClass).matches()) {
      block.wrong("class", "a class of lower-case letters, digits and hyphens");
      witnessClass = "none";
    }
    Principal identity = identity(id, witnessClass, block.section("identity"));
    int cost = block.has("cost") ? block.integer("cost", 0, MAX_COST) : 0;
    Duration timeout =
        block.duration("timeout", LEAST, Duration.ofMinutes(5), Duration.ofSeconds(10));
    @Nullable Duration patience =
        block.has("patience")
            ? block.duration("patience", Duration.ofSeconds(1), LONGEST, null)
            : null;
    @Nullable Boolean repeatable =
        block.has("repeatable") ? (Boolean) block.flag("repeatable", false) : null;
    OnNestedRefused refused =
        or(block.has("on-nested-refused"), block, "on-nested-refused", OnNestedRefused.DENY);
    Disclosure disclosure =
        block.has("disclosure")
            ? orElse(block.choice("disclosure", Disclosure.class), Disclosure.DIGEST)
            : Disclosure.FULL;
    Duration validity =
        block.duration("validity", Duration.ofSeconds(1), LONGEST, Duration.ofHours(24));
    long maxAnswer = block.bytes("max-answer", 1, 16 * MIB, MIB / 4);
    JsonNode settings = block.verbatim("settings");
    Map<String, String> places = new HashMap<>();
    collect("kind", block.value("kind"), places);
    collect("settings", block.value("settings"), places);
    block.end();
    return new WitnessSettings(
        id,
        kind,
        witnessClass,
        identity,
        cost,
        timeout,
        patience,
        repeatable,
        refused,
        disclosure,
        validity,
        maxAnswer,
        settings == null ? JsonNodeFactory.instance.objectNode() : settings,
        Places.text(block.origin()),
        places);
  }

  private static void collect(String key, @Nullable ConfigValue value, Map<String, String> places) {
    if (value == null) {
      return;
    }
    places.put(key, Places.text(value.origin()));
    if (value instanceof ConfigObject object) {
      object.forEach((name, member) -> collect(key + "." + name, member, places));
    } else if (value instanceof ConfigList list) {
      for (int i = 0; i < list.size(); i++) {
        collect(key + "." + i, list.get(i), places);
      }
    }
  }

  private static OnNestedRefused or(
      boolean there, Section block, String key, OnNestedRefused absent) {
    return there ? orElse(block.choice(key, OnNestedRefused.class), absent) : absent;
  }

  private static <T> T orElse(@Nullable T value, T absent) {
    return value == null ? absent : value;
  }

  private static Principal identity(String id, String witnessClass, Section identity) {
    String name = identity.has("id") ? identity.text("id", id) : id;
    String org = identity.text("org", "unnamed");
    String project = identity.text("project", "unnamed");
    Set<String> capabilities = Set.copyOf(identity.texts("capabilities"));
    String onBehalfOf = identity.optionalText("on-behalf-of");
    String modelFamily = identity.optionalText("model-family");
    identity.end();
    // The role of an agent is what lets it propose a governed call of its own.
    Set<Role> roles =
        capabilities.isEmpty() ? Set.of(Role.WITNESS) : Set.of(Role.WITNESS, Role.AGENT);
    return new Principal(
        name,
        org,
        project,
        roles,
        new TreeSet<>(Set.of(witnessClass)),
        new TreeSet<>(capabilities),
        onBehalfOf,
        modelFamily);
  }
}
