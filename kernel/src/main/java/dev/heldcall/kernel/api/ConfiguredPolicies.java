package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.kernel.policy.PolicyDocument;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policy.PolicyProblem;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Loads what configuration says of policy, and refuses it with the place where it is wrong. */
final class ConfiguredPolicies {

  private ConfiguredPolicies() {}

  /**
   * The floor and the tools, compiled.
   *
   * @throws PolicyRefusedException if a document does not load, or has a rule nobody can satisfy
   */
  static PolicyLayers load(HeldcallSettings settings, PrincipalRoster roster) {
    List<String> problems = new ArrayList<>();
    check(settings, roster, problems);
    if (problems.isEmpty()) {
      try {
        return PolicyLayers.compile(settings.policy().floor(), null, settings.tools());
      } catch (PolicyException e) {
        String section = e.where().equals("floor") ? "floor" : e.where();
        e.problems().forEach(each -> problems.add(line(settings, section, each)));
      }
    }
    throw new PolicyRefusedException(problems);
  }

  private static void check(
      HeldcallSettings settings, PrincipalRoster roster, List<String> problems) {
    switch (PolicyDocument.parse(settings.policy().floor(), "floor")) {
      case PolicyDocument.Refused refused ->
          refused.problems().forEach(each -> problems.add(line(settings, "floor", each)));
      case PolicyDocument.Loaded loaded ->
          floorProblems(loaded.document(), roster)
              .forEach(each -> problems.add(line(settings, "floor", each)));
    }
    for (Map.Entry<String, JsonNode> each : settings.policy().organizations().entrySet()) {
      String section = "organizations." + each.getKey();
      switch (PolicyDocument.parse(each.getValue(), section)) {
        case PolicyDocument.Refused refused ->
            refused.problems().forEach(it -> problems.add(line(settings, section, it)));
        case PolicyDocument.Loaded loaded ->
            PolicyDocument.unsatisfiable(loaded.document(), roster.holders(each.getKey()))
                .forEach(it -> problems.add(line(settings, section, it)));
      }
    }
  }

  /** The floor holds for every organization: a rule is refused if none of them can satisfy it. */
  private static List<PolicyProblem> floorProblems(PolicyDocument floor, PrincipalRoster roster) {
    // The words are those of the first organization: it has holders, if too few.
    Function<String, Collection<PrincipalRef>> first =
        roster.organizations().stream().findFirst().map(roster::of).orElse(each -> List.of());
    List<PolicyProblem> everywhere = PolicyDocument.unsatisfiable(floor, first);
    for (String org : roster.organizations()) {
      List<String> here =
          PolicyDocument.unsatisfiable(floor, roster.holders(org)).stream()
              .map(PolicyProblem::pointer)
              .toList();
      everywhere = everywhere.stream().filter(each -> here.contains(each.pointer())).toList();
    }
    return everywhere;
  }

  private static String line(HeldcallSettings settings, String section, PolicyProblem problem) {
    return "heldcall.policy."
        + section
        + problem.pointer()
        + " ("
        + settings.policy().place(section, problem.pointer())
        + "): "
        + problem.message();
  }
}
