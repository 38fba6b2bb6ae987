package dev.heldcall.kernel.witness;

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
import java.util.Set;

/**
 * Folds all votes that count into a rule's value, by the table of the design (witness rule). No
 * first response wins, and nothing but votes moves the value towards true.
 *
 * <p><b>Distinct identities.</b> An identity then serves at most one leaf of the rule. A part is
 * true only if the identities can be dealt out to the leaves that make it true; so each part
 * carries the ways in which it can be, a set of {@link Demand}s, of which only those are kept that
 * {@link IdentityMatching} can meet. Falsity asks for no assignment: a deny speaks to every leaf of
 * its class. The search is bounded by {@value #MAX_COMBINATIONS} combinations a rule; beyond, the
 * part is not true.
 */
public final class RuleEvaluator {

  /** How many combinations of ways are looked at in one evaluation. */
  static final int MAX_COMBINATIONS = 4_096;

  /**
   * A part's value, and the ways in which it can be true. Without distinct identities the ways are
   * not kept.
   */
  private record Part(RuleValue value, Set<Demand> ways) {
    static final Part UNKNOWN = new Part(RuleValue.UNKNOWN, Set.of());
    static final Part FALSE = new Part(RuleValue.FALSE, Set.of());

    boolean is(RuleValue other) {
      return value == other;
    }
  }

  private final Tally tally;
  private final boolean distinct;
  private final Set<Integer> open;
  private int fallbacks;
  private long combinations;

  private RuleEvaluator(Tally tally, boolean distinct, Set<Integer> open) {
    this.tally = tally;
    this.distinct = distinct;
    this.open = open;
  }

  /**
   * Evaluates a rule.
   *
   * @param veto the classes of which one deny refutes
   * @param distinctIdentities whether an identity's approve may serve only one leaf of the rule
   * @param votes the attestations that count, and no others
   * @param openFallbacks indexes of the fallbacks whose time has come, as {@link
   *     RuleShape#fallbacks} numbers them
   */
  public static Evaluation evaluate(
      WitnessRule rule,
      Collection<String> veto,
      boolean distinctIdentities,
      Collection<Vote> votes,
      Set<Integer> openFallbacks) {
    Tally tally = Tally.of(votes);
    RuleValue value =
        new RuleEvaluator(tally, distinctIdentities, openFallbacks).part(rule).value();
    boolean vetoed = veto.stream().anyMatch(c -> !tally.deniers(c).isEmpty());
    Readiness readiness =
        switch (value) {
          case TRUE -> vetoed ? Readiness.REFUTED : Readiness.SATISFIED;
          case FALSE -> Readiness.REFUTED;
          case UNKNOWN -> vetoed ? Readiness.REFUTED : Readiness.UNSATISFIED;
        };
    return new Evaluation(value, readiness);
  }

  private Part part(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> counted(witnessClass, 1, 1);
      case Quorum(var approvals, var witnessClass, var denials) ->
          counted(witnessClass, approvals, denials);
      case AllOf(var parts) -> all(each(parts));
      case AnyOf(var parts) -> any(each(parts));
      case Fallback fallback -> fallback(fallback);
    };
  }

  /** All parts in order, so that fallbacks are numbered in preorder whatever the values are. */
  private List<Part> each(List<WitnessRule> rules) {
    List<Part> parts = new ArrayList<>(rules.size());
    for (WitnessRule rule : rules) {
      parts.add(part(rule));
    }
    return parts;
  }

  private Part counted(String witnessClass, int approvals, int denials) {
    if (tally.deniers(witnessClass).size() >= denials) {
      return Part.FALSE;
    }
    if (tally.approvers(witnessClass).size() < approvals) {
      return Part.UNKNOWN;
    }
    return distinct
        ? new Part(RuleValue.TRUE, Set.of(Demand.of(witnessClass, approvals)))
        : new Part(RuleValue.TRUE, Set.of());
  }

  private Part all(List<Part> parts) {
    if (parts.stream().anyMatch(part -> part.is(RuleValue.FALSE))) {
      return Part.FALSE;
    }
    if (parts.isEmpty() || !parts.stream().allMatch(part -> part.is(RuleValue.TRUE))) {
      return Part.UNKNOWN;
    }
    if (!distinct) {
      return new Part(RuleValue.TRUE, Set.of());
    }
    Set<Demand> ways = parts.getFirst().ways();
    for (Part part : parts.subList(1, parts.size())) {
      ways = combined(ways, part.ways());
    }
    return ways.isEmpty() ? Part.UNKNOWN : new Part(RuleValue.TRUE, ways);
  }

  /** The ways of both that identities suffice for; none if there are too many to look at. */
  private Set<Demand> combined(Set<Demand> left, Set<Demand> right) {
    combinations += (long) left.size() * right.size();
    if (combinations > MAX_COMBINATIONS) {
      return Set.of();
    }
    Set<Demand> sums = new HashSet<>();
    for (Demand one : left) {
      for (Demand other : right) {
        sums.add(one.plus(other));
      }
    }
    sums.removeIf(demand -> IdentityMatching.shortfall(demand, tally::approvers).isPresent());
    return sums;
  }

  private static Part any(List<Part> parts) {
    Set<Demand> ways = new HashSet<>();
    boolean anyTrue = false;
    boolean allFalse = true;
    for (Part part : parts) {
      ways.addAll(part.ways());
      anyTrue |= part.is(RuleValue.TRUE);
      allFalse &= part.is(RuleValue.FALSE);
    }
    if (anyTrue) {
      return new Part(RuleValue.TRUE, ways);
    }
    return allFalse ? Part.FALSE : Part.UNKNOWN;
  }

  private Part fallback(Fallback fallback) {
    boolean opened = open.contains(fallbacks++);
    Part first = part(fallback.first());
    Part then = part(fallback.then());
    if (!opened) {
      return first;
    }
    return switch (first.value()) {
      case TRUE -> {
        Set<Demand> ways = new HashSet<>(first.ways());
        ways.addAll(then.ways());
        yield new Part(RuleValue.TRUE, ways);
      }
      case FALSE -> Part.FALSE;
      case UNKNOWN -> then;
    };
  }
}
