package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A part of a rule with what it is worth by itself, for explaining it; that no identity may serve
 * twice is the whole rule's affair and left aside.
 *
 * @param rule the part
 * @param value its value by the table of the design
 * @param open whether its time has come, if it is a fallback
 * @param parts its own parts, in their order
 */
record RuleClause(WitnessRule rule, RuleValue value, boolean open, List<RuleClause> parts) {

  /** The rule's clauses, whole. */
  static RuleClause of(WitnessRule rule, Tally tally, Set<Integer> openFallbacks) {
    return new Builder(tally, openFallbacks).clause(rule);
  }

  /** Counts fallbacks in preorder on its way. */
  private static final class Builder {

    private final Tally tally;
    private final Set<Integer> openFallbacks;
    private int fallbacks;

    private Builder(Tally tally, Set<Integer> openFallbacks) {
      this.tally = tally;
      this.openFallbacks = openFallbacks;
    }

    private RuleClause clause(WitnessRule rule) {
      return switch (rule) {
        case OfClass(var witnessClass) -> leaf(rule, witnessClass, 1, 1);
        case Quorum(var approvals, var witnessClass, var denials) ->
            leaf(rule, witnessClass, approvals, denials);
        case AllOf(var parts) -> {
          List<RuleClause> clauses = each(parts);
          yield new RuleClause(
              rule, together(clauses, RuleValue.FALSE, RuleValue.TRUE), false, clauses);
        }
        case AnyOf(var parts) -> {
          List<RuleClause> clauses = each(parts);
          yield new RuleClause(
              rule, together(clauses, RuleValue.TRUE, RuleValue.FALSE), false, clauses);
        }
        case Fallback(var first, _, var then) -> {
          boolean open = openFallbacks.contains(fallbacks++);
          List<RuleClause> clauses = each(List.of(first, then));
          RuleValue value = clauses.getFirst().value();
          boolean second = open && value == RuleValue.UNKNOWN;
          yield new RuleClause(rule, second ? clauses.getLast().value() : value, open, clauses);
        }
      };
    }

    private List<RuleClause> each(List<WitnessRule> rules) {
      List<RuleClause> clauses = new ArrayList<>(rules.size());
      for (WitnessRule rule : rules) {
        clauses.add(clause(rule));
      }
      return List.copyOf(clauses);
    }

    private RuleClause leaf(WitnessRule rule, String witnessClass, int approvals, int denials) {
      RuleValue value = RuleValue.UNKNOWN;
      if (tally.deniers(witnessClass).size() >= denials) {
        value = RuleValue.FALSE;
      } else if (tally.approvers(witnessClass).size() >= approvals) {
        value = RuleValue.TRUE;
      }
      return new RuleClause(rule, value, false, List.of());
    }

    private static RuleValue together(List<RuleClause> clauses, RuleValue one, RuleValue all) {
      if (clauses.stream().anyMatch(each -> each.value() == one)) {
        return one;
      }
      return clauses.stream().allMatch(each -> each.value() == all) ? all : RuleValue.UNKNOWN;
    }
  }
}
