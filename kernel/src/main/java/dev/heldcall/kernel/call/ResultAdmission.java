package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.policy.SchemaProblem;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ToolEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a result may be seen. It is independent of witnessing: a witnessed call's output is no
 * more trusted. No reason repeats any of the content, not even the name of a field: a reason is
 * read by models.
 */
final class ResultAdmission {

  private static final int SHOWN_PROBLEMS = 8;

  private ResultAdmission() {}

  static List<String> reasonsAgainst(
      HeldCallFacts facts,
      @Nullable PolicyInForce policy,
      boolean succeeded,
      JsonNode content,
      long bytes,
      boolean truncated) {
    if (facts.requireSpec().boundary() != Boundary.TOOL) {
      return List.of();
    }
    if (policy == null) {
      return List.of("the tool's entry was not at hand to check the result against");
    }
    String name = facts.requireGeneration().tool();
    ToolEntry tool = policy.layers().tool(name).orElse(null);
    if (tool == null) {
      return List.of("the tool '" + name + "' is no longer in the registry");
    }
    List<String> reasons = new ArrayList<>();
    if (bytes > tool.maxResultBytes()) {
      reasons.add(
          "size: "
              + bytes
              + " bytes, over the tool's bound of "
              + tool.maxResultBytes()
              + " bytes");
    } else if (truncated) {
      reasons.add("size: the result was cut at its bound");
    }
    if (succeeded && tool.resultSchema() != null && !truncated) {
      List<SchemaProblem> problems = policy.layers().checkResult(name, content);
      problems.stream()
          .limit(SHOWN_PROBLEMS)
          .map(each -> "schema: the result breaks '" + each.keyword() + "' of its schema")
          .distinct()
          .forEach(reasons::add);
    }
    return reasons;
  }
}
