package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says in lines for a person what of a rule is there, what is missing and who could give it. The
 * lines are for display: nothing reads them back.
 */
public final class RuleExplainer {

  /** The most lines of an explanation, the one that says what is left out included. */
  public static final int MAX_LINES = 32;

  private static final int MAX_NAMES = 8;
  private static final int MAX_RULE_SHOWN = 120;
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Tally tally;
  private final Set<Integer> open;
  private final ExplainContext context;
  private final List<String> lines = new ArrayList<>();
  private final Set<String> leavesSaid = new HashSet<>();
  private int fallbacks;

  private RuleExplainer(Tally tally, Set<Integer> open, ExplainContext context) {
    this.tally = tally;
    this.open = open;
    this.context = context;
  }

  /**
   * Explains a rule's value; the arguments are those of {@link RuleEvaluator#evaluate}. For the
   * rule {@code human} without evidence the first line is {@code waiting for: human (0 of 1)}.
   *
   * @return 1 to {@value #MAX_LINES} lines
   */
  public static List<String> explain(
      WitnessRule rule,
      Collection<String> veto,
      boolean distinctIdentities,
      Collection<Vote> votes,
      Set<Integer> openFallbacks,
      ExplainContext context) {
    RuleExplainer explainer = new RuleExplainer(Tally.of(votes), openFallbacks, context);
    explainer.sayVetoes(veto);
    if (distinctIdentities) {
      explainer.sayCompetition(
          RuleEvaluator.evaluate(rule, Set.of(), false, votes, openFallbacks),
          RuleEvaluator.evaluate(rule, Set.of(), true, votes, openFallbacks));
    }
    explainer.visit(rule);
    explainer.sayOutweighed(rule);
    return explainer.bounded();
  }

  private void sayVetoes(Collection<String> veto) {
    for (String witnessClass : new LinkedHashSet<>(veto)) {
      Set<PrincipalRef> deniers = tally.deniers(witnessClass);
      if (!deniers.isEmpty()) {
        lines.add("refuted: veto of " + witnessClass + " by " + names(deniers));
      }
    }
  }

  /** Approves enough in number, but of identities that would have to serve twice. */
  private void sayCompetition(Evaluation alone, Evaluation distinct) {
    if (alone.value() == RuleValue.TRUE && distinct.value() != RuleValue.TRUE) {
      lines.add("waiting for: another identity (distinct-identities: none serves two parts)");
    }
  }

  private void visit(WitnessRule rule) {
    switch (rule) {
      case OfClass(var witnessClass) -> sayLeaf(witnessClass, 1, 1);
      case Quorum(var approvals, var witnessClass, var denials) ->
          sayLeaf(witnessClass, approvals, denials);
      case AllOf(var parts) -> parts.forEach(this::visit);
      case AnyOf(var parts) -> {
        lines.add("one is enough of: " + cut(RuleText.of(rule)));
        parts.forEach(this::visit);
      }
      case Fallback fallback -> visitFallback(fallback);
    }
  }

  private void visitFallback(Fallback fallback) {
    boolean opened = open.contains(fallbacks++);
    visit(fallback.first());
    String then = cut(RuleText.of(fallback.then()));
    String at = MILLIS.format(context.holdStarted().plus(fallback.after()));
    if (opened) {
      lines.add("fallback open since " + at + ": " + then);
      visit(fallback.then());
    } else {
      lines.add("fallback opens at " + at + ": " + then);
      fallbacks += RuleShape.fallbacks(fallback.then()).size();
    }
  }

  private void sayLeaf(String witnessClass, int approvals, int denials) {
    Set<PrincipalRef> approvers = tally.approvers(witnessClass);
    Set<PrincipalRef> deniers = tally.deniers(witnessClass);
    String count = witnessClass + " (" + approvers.size() + " of " + approvals + ")";
    String denied = deniers.isEmpty() ? "" : "denied as " + witnessClass + " by " + names(deniers);
    if (deniers.size() >= denials) {
      lines.add("refuted: " + denied);
    } else if (approvers.size() >= approvals) {
      lines.add("have: " + count + " from " + names(approvers));
    } else {
      lines.add("waiting for: " + count);
      sayWhoCould(witnessClass);
    }
    if (!denied.isEmpty() && deniers.size() < denials) {
      lines.add(denied + " (" + deniers.size() + " of " + denials + " to refute)");
    }
  }

  private void sayWhoCould(String witnessClass) {
    if (!leavesSaid.add(witnessClass)) {
      return;
    }
    Set<PrincipalRef> approvers = tally.approvers(witnessClass);
    List<PrincipalRef> holders = context.whoCould().apply(witnessClass);
    Set<PrincipalRef> others = new LinkedHashSet<>(holders);
    others.removeAll(approvers);
    others.removeAll(tally.deniers(witnessClass));
    others.removeAll(tally.outweighed(witnessClass));
    if (!others.isEmpty()) {
      lines.add(witnessClass + " could come from: " + names(others));
    } else {
      lines.add("nobody " + (holders.isEmpty() ? "" : "else ") + "holds class " + witnessClass);
    }
  }

  private void sayOutweighed(WitnessRule rule) {
    for (String witnessClass : RuleShape.activeClasses(rule, open)) {
      Set<PrincipalRef> outweighed = tally.outweighed(witnessClass);
      if (!outweighed.isEmpty()) {
        lines.add(
            "not counted: approve as "
                + witnessClass
                + " of "
                + names(outweighed)
                + " (outweighed by the same identity's deny)");
      }
    }
  }

  private List<String> bounded() {
    if (lines.size() <= MAX_LINES) {
      return List.copyOf(lines);
    }
    List<String> kept = new ArrayList<>(lines.subList(0, MAX_LINES - 1));
    kept.add((lines.size() - kept.size()) + " more lines left out");
    return List.copyOf(kept);
  }

  private static String names(Collection<PrincipalRef> identities) {
    String names =
        identities.stream()
            .limit(MAX_NAMES)
            .map(PrincipalRef::id)
            .collect(Collectors.joining(", "));
    int left = identities.size() - MAX_NAMES;
    return left > 0 ? names + " and " + left + " more" : names;
  }

  private static String cut(String rule) {
    return rule.length() <= MAX_RULE_SHOWN ? rule : rule.substring(0, MAX_RULE_SHOWN) + "…";
  }
}
