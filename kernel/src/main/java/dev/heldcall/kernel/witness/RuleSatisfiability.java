package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds rules that nobody can satisfy, so that they are refused where a policy is loaded and not
 * discovered by a call that waits for ever.
 */
public final class RuleSatisfiability {

  private static final int MAX_PROBLEMS = 4;

  private final Function<String, Set<PrincipalRef>> roster;

  private RuleSatisfiability(Function<String, Set<PrincipalRef>> roster) {
    this.roster = roster;
  }

  /**
   * Why the rule stays unsatisfied even if everybody approves under every class they hold, with all
   * fallbacks open; or empty. A veto class that nobody holds is no problem: nobody vetoes.
   *
   * @param roster the identities that hold a class, proposers left out where they may not witness
   * @return a message that names the class, how many identities it needs and how many there are
   */
  public static Optional<String> problem(
      WitnessRule rule,
      Collection<String> veto,
      boolean distinctIdentities,
      Function<String, Collection<PrincipalRef>> roster) {
    for (String witnessClass : veto) {
      if (!RuleParser.isClassName(witnessClass)) {
        return Optional.of("veto names no witness class: '" + witnessClass + "'");
      }
    }
    RuleSatisfiability check = new RuleSatisfiability(c -> new HashSet<>(roster.apply(c)));
    Optional<String> missing = check.missing(rule);
    if (missing.isPresent() || !distinctIdentities) {
      return missing;
    }
    return check.competition(rule);
  }

  private Optional<String> missing(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> missing(witnessClass, 1);
      case Quorum(var approvals, var witnessClass, _) -> missing(witnessClass, approvals);
      case AllOf(var parts) ->
          parts.stream().map(this::missing).flatMap(Optional::stream).findFirst();
      case AnyOf(var parts) -> unlessOneCan(parts);
      case Fallback(var first, _, var then) -> unlessOneCan(List.of(first, then));
    };
  }

  private Optional<String> missing(String witnessClass, int needed) {
    int there = roster.apply(witnessClass).size();
    if (there >= needed) {
      return Optional.empty();
    }
    if (there == 0) {
      return Optional.of(
          "nobody holds class " + witnessClass + " (needed: " + needed + ", there: 0)");
    }
    return Optional.of(
        "too few hold class " + witnessClass + " (needed: " + needed + ", there: " + there + ")");
  }

  private Optional<String> unlessOneCan(List<WitnessRule> parts) {
    List<String> problems = new ArrayList<>();
    for (WitnessRule part : parts) {
      Optional<String> problem = missing(part);
      if (problem.isEmpty()) {
        return problem;
      }
      problems.add(problem.get());
    }
    Stream<String> shown = problems.stream().distinct().limit(MAX_PROBLEMS);
    return Optional.of(shown.collect(Collectors.joining("; and ")));
  }

  /** The rule has holders enough part by part; does it, with each serving once? */
  private Optional<String> competition(WitnessRule rule) {
    List<Vote> everybody = new ArrayList<>();
    for (String witnessClass : RuleShape.classes(rule)) {
      for (PrincipalRef identity : roster.apply(witnessClass)) {
        everybody.add(new Vote(witnessClass, identity, witnessClass, AttestationDecision.APPROVE));
      }
    }
    Set<Integer> allOpen =
        RuleShape.fallbacks(rule).stream()
            .map(RuleShape.FallbackNode::index)
            .collect(Collectors.toSet());
    if (RuleEvaluator.evaluate(rule, Set.of(), true, everybody, allOpen).value()
        == RuleValue.TRUE) {
      return Optional.empty();
    }
    return Optional.of("with distinct-identities nobody can satisfy the rule: " + shortfall(rule));
  }

  private String shortfall(WitnessRule rule) {
    return someWay(rule)
        .flatMap(way -> IdentityMatching.shortfall(way, roster))
        .map(
            s ->
                "the classes %s need %d distinct identities together, and %d hold them"
                    .formatted(String.join(", ", s.classes()), s.needed(), s.there()))
        .orElse("it has too many combinations to deal identities out to");
  }

  /** The first way to satisfy the rule for which every class has holders enough by itself. */
  private Optional<Demand> someWay(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> Optional.of(Demand.of(witnessClass, 1));
      case Quorum(var approvals, var witnessClass, _) ->
          Optional.of(Demand.of(witnessClass, approvals));
      case AllOf(var parts) -> {
        List<Demand> ways = parts.stream().map(this::someWay).flatMap(Optional::stream).toList();
        yield ways.size() == parts.size() ? ways.stream().reduce(Demand::plus) : Optional.empty();
      }
      case AnyOf(var parts) -> firstPossible(parts);
      case Fallback(var first, _, var then) -> firstPossible(List.of(first, then));
    };
  }

  private Optional<Demand> firstPossible(List<WitnessRule> parts) {
    return parts.stream()
        .filter(part -> missing(part).isEmpty())
        .map(this::someWay)
        .flatMap(Optional::stream)
        .findFirst();
  }
}
