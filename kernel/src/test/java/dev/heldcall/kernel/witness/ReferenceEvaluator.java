package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The design's table of the witness rule, word by word, with nothing of the product: distinct
 * identities are tried out, every way to give each identity to one leaf or none.
 */
public final class ReferenceEvaluator {

  /** A node of the rule; leaves and fallbacks know their place. */
  private record Node(
      String kind, String witnessClass, int approvals, int denials, int index, List<Node> kids) {}

  private final Collection<Vote> votes;
  private final Set<Integer> open;
  private final boolean distinct;
  private final List<PrincipalRef> identities;
  private int leaves;
  private int fallbacks;

  private ReferenceEvaluator(Collection<Vote> votes, Set<Integer> open, boolean distinct) {
    this.votes = votes;
    this.open = open;
    this.distinct = distinct;
    this.identities = votes.stream().map(Vote::identity).distinct().toList();
  }

  /** One of T, F, U. */
  public static char value(
      WitnessRule rule, boolean distinct, Collection<Vote> votes, Set<Integer> openFallbacks) {
    ReferenceEvaluator reference = new ReferenceEvaluator(votes, openFallbacks, distinct);
    return reference.value(reference.node(rule));
  }

  private Node node(WitnessRule rule) {
    return switch (rule) {
      case WitnessRule.OfClass c -> new Node("leaf", c.witnessClass(), 1, 1, leaves++, List.of());
      case WitnessRule.Quorum q ->
          new Node("leaf", q.witnessClass(), q.approvals(), q.denials(), leaves++, List.of());
      case WitnessRule.AllOf a -> new Node("and", "", 0, 0, 0, nodes(a.parts()));
      case WitnessRule.AnyOf a -> new Node("or", "", 0, 0, 0, nodes(a.parts()));
      case WitnessRule.Fallback f -> {
        int index = fallbacks++;
        yield new Node("fallback", "", 0, 0, index, nodes(List.of(f.first(), f.then())));
      }
    };
  }

  private List<Node> nodes(List<WitnessRule> rules) {
    List<Node> nodes = new ArrayList<>();
    for (WitnessRule rule : rules) {
      nodes.add(node(rule));
    }
    return nodes;
  }

  private char value(Node node) {
    boolean holds = distinct ? someAssignmentHolds(node, new ArrayList<>()) : holds(node, null);
    if (holds) {
      return 'T';
    }
    return isFalse(node) ? 'F' : 'U';
  }

  private boolean isFalse(Node node) {
    return switch (node.kind()) {
      case "leaf" -> denies(node) >= node.denials();
      case "and" -> node.kids().stream().anyMatch(kid -> value(kid) == 'F');
      case "or" -> node.kids().stream().allMatch(kid -> value(kid) == 'F');
      default -> {
        char first = value(node.kids().get(0));
        char then = value(node.kids().get(1));
        yield first == 'F' || (open.contains(node.index()) && then == 'F' && first != 'T');
      }
    };
  }

  /** {@code assignment} has for each identity the leaf that it serves, or -1. */
  private boolean someAssignmentHolds(Node node, List<Integer> assignment) {
    if (assignment.size() == identities.size()) {
      return holds(node, assignment);
    }
    for (int leaf = -1; leaf < leaves; leaf++) {
      assignment.add(leaf);
      boolean found = someAssignmentHolds(node, assignment);
      assignment.removeLast();
      if (found) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(Node node, @Nullable List<Integer> assignment) {
    return switch (node.kind()) {
      case "leaf" ->
          denies(node) < node.denials() && approves(node, assignment) >= node.approvals();
      case "and" -> node.kids().stream().allMatch(kid -> holds(kid, assignment));
      case "or" -> node.kids().stream().anyMatch(kid -> holds(kid, assignment));
      default ->
          holds(node.kids().get(0), assignment)
              || (open.contains(node.index())
                  && holds(node.kids().get(1), assignment)
                  && value(node.kids().get(0)) != 'F');
    };
  }

  private long denies(Node leaf) {
    return identities.stream()
        .filter(who -> voted(who, leaf.witnessClass(), AttestationDecision.DENY))
        .count();
  }

  private int approves(Node leaf, @Nullable List<Integer> assignment) {
    int count = 0;
    for (int i = 0; i < identities.size(); i++) {
      PrincipalRef who = identities.get(i);
      boolean serves = assignment == null || assignment.get(i) == leaf.index();
      boolean deniesAnything =
          votes.stream()
              .anyMatch(
                  vote ->
                      vote.identity().equals(who) && vote.decision() == AttestationDecision.DENY);
      if (serves
          && !deniesAnything
          && voted(who, leaf.witnessClass(), AttestationDecision.APPROVE)) {
        count++;
      }
    }
    return count;
  }

  private boolean voted(PrincipalRef who, String witnessClass, AttestationDecision decision) {
    return votes.stream()
        .anyMatch(
            vote ->
                vote.identity().equals(who)
                    && vote.witnessClass().equals(witnessClass)
                    && vote.decision() == decision);
  }
}
