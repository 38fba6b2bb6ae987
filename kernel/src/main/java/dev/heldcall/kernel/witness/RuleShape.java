package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a rule is made of, evidence aside: whom it may ask, and when that grows. */
public final class RuleShape {

  /**
   * A fallback of a rule.
   *
   * @param index its place among the rule's fallbacks, from 0 in preorder: itself, those of its
   *     first rule, those of its second
   * @param after how long after the generation's hold began it opens
   */
  public record FallbackNode(int index, Duration after) {}

  private final Set<String> classes = new LinkedHashSet<>();
  private final Set<String> active = new LinkedHashSet<>();
  private final List<FallbackNode> fallbacks = new ArrayList<>();
  private final Set<Integer> open;

  private RuleShape(WitnessRule rule, Set<Integer> open) {
    this.open = open;
    visit(rule, true);
  }

  /** Every class that the rule names, in its order. */
  public static Set<String> classes(WitnessRule rule) {
    return new RuleShape(rule, Set.of()).classes;
  }

  /** Every fallback of the rule, by index. */
  public static List<FallbackNode> fallbacks(WitnessRule rule) {
    return List.copyOf(new RuleShape(rule, Set.of()).fallbacks);
  }

  /**
   * The classes to ask now: those that the rule names outside of a fallback that is still closed.
   *
   * @param openFallbacks indexes of those that opened
   */
  public static Set<String> activeClasses(WitnessRule rule, Set<Integer> openFallbacks) {
    return new RuleShape(rule, openFallbacks).active;
  }

  private void visit(WitnessRule rule, boolean asked) {
    switch (rule) {
      case OfClass(var witnessClass) -> add(witnessClass, asked);
      case Quorum(_, var witnessClass, _) -> add(witnessClass, asked);
      case AllOf(var parts) -> parts.forEach(part -> visit(part, asked));
      case AnyOf(var parts) -> parts.forEach(part -> visit(part, asked));
      case Fallback(var first, var after, var then) -> {
        int index = fallbacks.size();
        fallbacks.add(new FallbackNode(index, after));
        visit(first, asked);
        visit(then, asked && open.contains(index));
      }
    }
  }

  private void add(String witnessClass, boolean asked) {
    classes.add(witnessClass);
    if (asked) {
      active.add(witnessClass);
    }
  }
}
