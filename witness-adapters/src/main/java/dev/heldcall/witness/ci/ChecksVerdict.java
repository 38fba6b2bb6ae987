package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.witness.ci.CiChecksSettings.Required;
import dev.heldcall.witness.evidence.ForeignText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the checks of a commit come to. Every required one must have concluded well; a name is
 * looked for among check runs first, of which the newest counts, and then among commit statuses,
 * which no app stands for.
 *
 * @param failed what concluded badly
 * @param pending what is missing or has not concluded
 * @param facts what was seen of each required check, for the evidence
 */
record ChecksVerdict(List<String> failed, List<String> pending, ArrayNode facts) {

  ChecksVerdict {
    failed = List.copyOf(failed);
    pending = List.copyOf(pending);
  }

  /** Whether all of them succeeded. */
  boolean succeeded() {
    return failed.isEmpty() && pending.isEmpty();
  }

  /** Whether commit statuses can still tell something that check runs do not. */
  static boolean needsStatuses(List<Required> required, List<JsonNode> runs) {
    return required.stream().anyMatch(each -> each.app() == null && newest(each, runs) == null);
  }

  /**
   * Judges.
   *
   * @param accept conclusions that count as success
   * @param runs check runs of the commit
   * @param statuses commit statuses, the newest of each context
   */
  static ChecksVerdict of(
      List<Required> required, Set<String> accept, List<JsonNode> runs, List<JsonNode> statuses) {
    List<String> failed = new ArrayList<>();
    List<String> pending = new ArrayList<>();
    ArrayNode facts = JsonNodeFactory.instance.arrayNode();
    for (Required each : required) {
      JsonNode run = newest(each, runs);
      String conclusion = run == null ? status(each, statuses) : conclusion(run);
      if (conclusion == null) {
        pending.add(each.name());
      } else if (!accept.contains(conclusion)) {
        failed.add(each.name() + " (" + ForeignText.line(conclusion) + ")");
      }
      var fact = facts.addObject().put("name", each.name()).put("conclusion", conclusion);
      if (run != null) {
        fact.put("id", run.path("id").longValue()).put("app", run.at("/app/id").longValue());
      }
    }
    return new ChecksVerdict(failed, pending, facts);
  }

  private static @Nullable JsonNode newest(Required required, List<JsonNode> runs) {
    return runs.stream()
        .filter(run -> required.name().equals(run.path("name").textValue()))
        .filter(run -> required.app() == null || required.app() == run.at("/app/id").longValue())
        .max(Comparator.comparingLong(run -> run.path("id").longValue()))
        .orElse(null);
  }

  /** Null while it has not concluded, or does not say how. */
  private static @Nullable String conclusion(JsonNode run) {
    return "completed".equals(run.path("status").textValue())
        ? run.path("conclusion").textValue()
        : null;
  }

  private static @Nullable String status(Required required, List<JsonNode> statuses) {
    if (required.app() != null) {
      return null;
    }
    for (JsonNode each : statuses) {
      if (required.name().equals(each.path("context").textValue())) {
        String state = each.path("state").asText("");
        return state.equals("pending") ? null : state;
      }
    }
    return null;
  }
}
