package dev.heldcall.witness.governed;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.SettingsObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is called, and what its result must be.
 *
 * @param tool the tool
 * @param args its arguments by name
 * @param expect what the result's content must have at places; one or more
 * @param denyOnMismatch whether another result is a deny, else the witness cannot tell
 */
record GovernedCallSettings(
    String tool, Map<String, Value> args, Map<JsonPointer, Value> expect, boolean denyOnMismatch) {

  private static final int MOST = 64;

  /** A value of the settings, or of the call. */
  sealed interface Value {
    /** The same for every call. */
    record Fixed(JsonNode value) implements Value {}

    /** What the held call has at a place. */
    record FromArgs(JsonPointer pointer) implements Value {}
  }

  GovernedCallSettings {
    args = Collections.unmodifiableMap(new LinkedHashMap<>(args));
    expect = Collections.unmodifiableMap(new LinkedHashMap<>(expect));
  }

  static GovernedCallSettings read(ProviderContract contract, JsonNode node)
      throws InvalidProviderSettings {
    SettingsObject settings = SettingsObject.of(node);
    String tool = settings.text("tool");
    Map<String, Value> args = new LinkedHashMap<>();
    SettingsObject given = settings.optionalObject("args");
    if (given != null) {
      for (String name : given.keys()) {
        args.put(name, value(given, name));
      }
    }
    SettingsObject expected = settings.object("expect");
    Map<JsonPointer, Value> expect = new LinkedHashMap<>();
    for (String place : expected.keys()) {
      expect.put(expected.pointer(place, place), value(expected, place));
    }
    if (expect.isEmpty() || expect.size() > MOST || args.size() > MOST) {
      throw settings.wrong("expect", "1 to " + MOST + " places of the result and their values");
    }
    boolean deny = settings.word("on-mismatch", "deny", List.of("deny", "defer")).equals("deny");
    settings.done();
    if (contract.identity().capabilities().isEmpty()) {
      throw settings.wrong(
          "tool", "an identity with the capability of the tool (identity.capabilities)");
    }
    return new GovernedCallSettings(tool, args, expect, deny);
  }

  private static Value value(SettingsObject at, String key) throws InvalidProviderSettings {
    JsonNode value = at.value(key);
    if (value == null) {
      throw at.wrong(key, "a value or { from = a JSON Pointer into the held call's arguments }");
    }
    if (value.isObject() && value.size() == 1 && value.hasNonNull("from")) {
      SettingsObject from = at.nested(key, value);
      Value read = new Value.FromArgs(from.pointer("from"));
      from.done();
      return read;
    }
    return new Value.Fixed(value);
  }
}
