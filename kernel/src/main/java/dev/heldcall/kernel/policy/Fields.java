package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a document's objects and collects what is wrong with them. */
final class Fields {

  private final List<PolicyProblem> problems = new ArrayList<>();

  List<PolicyProblem> problems() {
    return problems;
  }

  void problem(String pointer, String message) {
    problems.add(new PolicyProblem(pointer, message));
  }

  /** A field that nobody knows could be a misspelt safety option. */
  void onlyKnown(JsonNode object, String at, Set<String> known) {
    for (var field : object.properties()) {
      if (!known.contains(field.getKey())) {
        problem(
            at + "/" + escaped(field.getKey()),
            "unknown field; expected one of " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }

  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** The text, or null if the field is missing or wrong. */
  @Nullable String text(JsonNode object, String at, String field, int maxLength) {
    JsonNode value = object.path(field);
    if (value.isMissingNode()) {
      return null;
    }
    if (!value.isTextual()
        || value.textValue().isEmpty()
        || value.textValue().length() > maxLength) {
      problem(at + "/" + field, "expected a text of 1 to " + maxLength + " characters");
      return null;
    }
    return value.textValue();
  }

  String requiredText(JsonNode object, String at, String field, int maxLength) {
    String text = text(object, at, field, maxLength);
    if (text == null && object.path(field).isMissingNode()) {
      problem(at + "/" + field, "expected a text of 1 to " + maxLength + " characters");
    }
    return text == null ? "" : text;
  }
}
