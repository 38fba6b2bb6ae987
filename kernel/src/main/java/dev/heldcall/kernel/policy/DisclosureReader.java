package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what a rule says of disclosure: {@code "disclosure"} and {@code "redact"}. */
final class DisclosureReader {

  private final Fields fields;

  DisclosureReader(Fields fields) {
    this.fields = fields;
  }

  DisclosureRule read(JsonNode rule, String at) {
    return DisclosureRule.declared(disclosure(rule, at), redact(rule, at));
  }

  private @Nullable Disclosure disclosure(JsonNode rule, String at) {
    JsonNode value = rule.path("disclosure");
    if (value.isMissingNode()) {
      return null;
    }
    for (Disclosure each : Disclosure.values()) {
      if (value.isTextual() && each.wireName().equals(value.textValue())) {
        return each;
      }
    }
    fields.problem(
        at + "/disclosure", "expected one of full, summary, digest, found " + shown(value));
    return Disclosure.DIGEST;
  }

  private Set<String> redact(JsonNode rule, String at) {
    Set<String> pointers = new TreeSet<>();
    JsonNode value = rule.path("redact");
    if (value.isMissingNode()) {
      return pointers;
    }
    if (!value.isArray() || value.isEmpty() || value.size() > DisclosureRule.MAX_REDACT) {
      fields.problem(
          at + "/redact",
          "expected an array of 1 to " + DisclosureRule.MAX_REDACT + " JSON Pointers");
      return pointers;
    }
    for (int i = 0; i < value.size(); i++) {
      String pointer = value.path(i).isTextual() ? value.path(i).textValue() : "";
      String problem = DisclosureRule.problem(pointer);
      if (problem == null) {
        pointers.add(pointer);
      } else {
        fields.problem(at + "/redact/" + i, problem);
      }
    }
    return pointers;
  }

  private static String shown(JsonNode value) {
    String text = value.isTextual() ? "'" + value.textValue() + "'" : value.toString();
    return text.length() > 64 ? text.substring(0, 64) + "…" : text;
  }
}
