package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.util.stream.Collectors;

/**
 * The one canonical text of a witness rule: no parentheses but needed ones, single spaces,
 * durations in their largest unit, {@code deny 1} left out. Parsing it gives the normalized rule
 * again.
 */
public final class RuleText {

  private RuleText() {}

  /**
   * The canonical text; rules that normalize to the same have the same.
   *
   * @throws IllegalArgumentException if a duration cannot be spelt, or an {@code &} or {@code |}
   *     has no parts
   */
  public static String of(WitnessRule rule) {
    return text(RuleParser.normalize(rule));
  }

  private static String text(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> witnessClass;
      case Quorum(var approvals, var witnessClass, var denials) ->
          "quorum(%d, %s%s)"
              .formatted(approvals, witnessClass, denials == 1 ? "" : ", deny " + denials);
      case AllOf(var parts) ->
          parts.stream().map(RuleText::factor).collect(Collectors.joining(" & "));
      case AnyOf(var parts) ->
          parts.stream().map(RuleText::text).collect(Collectors.joining(" | "));
      case Fallback(var first, var after, var then) ->
          "fallback(%s, %s, %s)".formatted(text(first), RuleDuration.text(after), text(then));
    };
  }

  /** A part of {@code &}, which binds closer than {@code |}. */
  private static String factor(WitnessRule part) {
    return part instanceof AnyOf ? "(" + text(part) + ")" : text(part);
  }
}
