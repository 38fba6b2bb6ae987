package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says in lines for a person, clause by clause, what of a rule is there and until when, what is
 * missing, who could give it and until when. The lines are for display: nothing reads them back.
 *
 * <p>What decides nothing any more is left out: of alternatives of which one holds the others, and
 * the second part of a fallback whose first has spoken.
 */
public final class RuleExplainer {

  /** The most lines of an explanation, the one that says what is left out included. */
  public static final int MAX_LINES = 32;

  private static final int MAX_RULE_SHOWN = 120;

  private final Tally tally;
  private final VoterNames voters;
  private final ExplainContext context;
  private final List<String> lines = new ArrayList<>();
  private final Set<String> leavesSaid = new HashSet<>();
  private final Set<String> earlySaid = new HashSet<>();

  private RuleExplainer(Collection<Vote> votes, ExplainContext context) {
    this.tally = Tally.of(votes);
    this.voters = new VoterNames(votes);
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
    RuleExplainer explainer = new RuleExplainer(votes, context);
    explainer.sayVetoes(veto);
    Evaluation evaluation =
        RuleEvaluator.evaluate(rule, veto, distinctIdentities, votes, openFallbacks);
    RuleClause clause = RuleClause.of(rule, explainer.tally, openFallbacks);
    boolean competition =
        clause.value() == RuleValue.TRUE && evaluation.value() == RuleValue.UNKNOWN;
    if (competition) {
      explainer.lines.add(
          "waiting for: another identity (distinct-identities: none serves two parts)");
    }
    explainer.visit(clause);
    if (competition) {
      RuleShape.activeClasses(rule, openFallbacks).forEach(explainer::sayWhoCould);
    }
    explainer.sayOutweighed(RuleShape.activeClasses(rule, openFallbacks));
    explainer.lines.addAll(explainer.voters.countedAsOne());
    if (evaluation.readiness() == Readiness.REFUTED && context.heldIfRefuted()) {
      explainer.lines.add(
          "held although refuted: it waits on, and a deny counts until it expires or until its"
              + " witness or an operator revokes it");
    }
    return explainer.bounded();
  }

  private void sayVetoes(Collection<String> veto) {
    for (String witnessClass : new LinkedHashSet<>(veto)) {
      if (!tally.deniers(witnessClass).isEmpty()) {
        lines.add("refuted: veto of " + witnessClass + " by " + voters.deniers(witnessClass));
      }
    }
  }

  private void visit(RuleClause clause) {
    switch (clause.rule()) {
      case OfClass(var witnessClass) -> sayLeaf(clause, witnessClass, 1, 1);
      case Quorum(var approvals, var witnessClass, var denials) ->
          sayLeaf(clause, witnessClass, approvals, denials);
      case AllOf _ -> clause.parts().forEach(this::visit);
      case AnyOf _ -> {
        boolean holds = clause.value() == RuleValue.TRUE;
        if (!holds) {
          lines.add("one is enough of: " + cut(RuleText.of(clause.rule())));
        }
        clause.parts().stream()
            .filter(part -> !holds || part.value() == RuleValue.TRUE)
            .forEach(this::visit);
      }
      case Fallback fallback -> visitFallback(clause, fallback);
    }
  }

  private void visitFallback(RuleClause clause, Fallback fallback) {
    RuleClause first = clause.parts().getFirst();
    visit(first);
    if (first.value() != RuleValue.UNKNOWN) {
      return;
    }
    String then = cut(RuleText.of(fallback.then()));
    Instant at = context.holdStarted().plus(fallback.after());
    @Nullable Instant deadline = context.deadline();
    if (clause.open()) {
      lines.add("fallback open since " + VoterNames.time(at) + ": " + then);
      visit(clause.parts().getLast());
    } else if (deadline != null && !at.isBefore(deadline)) {
      lines.add(
          "fallback would open at "
              + VoterNames.time(at)
              + ", and the call expires at "
              + VoterNames.time(deadline)
              + ": "
              + then);
    } else {
      lines.add("fallback opens at " + VoterNames.time(at) + ": " + then);
      RuleShape.classes(fallback.then()).forEach(this::sayEarly);
    }
  }

  /** What was given for a fallback that is not open yet. */
  private void sayEarly(String witnessClass) {
    if (!earlySaid.add(witnessClass)) {
      return;
    }
    if (!tally.approvers(witnessClass).isEmpty()) {
      lines.add(
          "given for the fallback: "
              + witnessClass
              + " from "
              + voters.approvers(witnessClass, tally.approvers(witnessClass)));
    }
    if (!tally.deniers(witnessClass).isEmpty()) {
      lines.add(
          "given for the fallback: denied as "
              + witnessClass
              + " by "
              + voters.deniers(witnessClass));
    }
  }

  private void sayLeaf(RuleClause clause, String witnessClass, int approvals, int denials) {
    Set<PrincipalRef> approvers = tally.approvers(witnessClass);
    int denied = tally.deniers(witnessClass).size();
    String count = witnessClass + " (" + approvers.size() + " of " + approvals + ")";
    String from = voters.approvers(witnessClass, approvers);
    switch (clause.value()) {
      case FALSE ->
          lines.add("refuted: denied as " + witnessClass + " by " + voters.deniers(witnessClass));
      case TRUE -> lines.add("have: " + count + " from " + from);
      case UNKNOWN -> {
        lines.add("waiting for: " + count);
        if (!approvers.isEmpty()) {
          lines.add(witnessClass + " is there from: " + from);
        }
        sayWhoCould(witnessClass);
      }
    }
    if (denied > 0 && denied < denials) {
      lines.add(
          "denied as "
              + witnessClass
              + " by "
              + voters.deniers(witnessClass)
              + ": "
              + denied
              + " of "
              + denials
              + " to refute");
    }
  }

  private void sayWhoCould(String witnessClass) {
    if (!leavesSaid.add(witnessClass)) {
      return;
    }
    Function<String, List<PrincipalRef>> whoCould = context.whoCould();
    if (whoCould == null) {
      return;
    }
    List<PrincipalRef> holders = whoCould.apply(witnessClass);
    Set<PrincipalRef> others = new LinkedHashSet<>(holders);
    others.removeIf(each -> voters.spoke(each, witnessClass));
    @Nullable Instant deadline = context.deadline();
    if (!others.isEmpty()) {
      lines.add(
          witnessClass
              + " could come from: "
              + VoterNames.list(others)
              + (deadline == null ? "" : ", until " + VoterNames.time(deadline)));
    } else {
      lines.add(
          "nobody "
              + (holders.isEmpty() ? "" : "else ")
              + "who is independent holds class "
              + witnessClass);
    }
  }

  private void sayOutweighed(Set<String> classes) {
    for (String witnessClass : classes) {
      Set<PrincipalRef> outweighed = tally.outweighed(witnessClass);
      if (!outweighed.isEmpty()) {
        lines.add(
            "not counted: approve as "
                + witnessClass
                + " of "
                + voters.approvers(witnessClass, outweighed)
                + ", outweighed by the same identity's deny");
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

  private static String cut(String rule) {
    return rule.length() <= MAX_RULE_SHOWN ? rule : rule.substring(0, MAX_RULE_SHOWN) + "…";
  }
}
