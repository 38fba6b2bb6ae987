package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The votes by class: which identities' approves count, and who denies. An identity that denies,
 * under any class, has no approve that counts; several votes of one identity under one class are
 * one. What is told apart is the votes' parties, which are the identities themselves unless they
 * must be distinct.
 */
final class Tally {

  static final Comparator<PrincipalRef> BY_NAME =
      Comparator.comparing(PrincipalRef::org)
          .thenComparing(PrincipalRef::project)
          .thenComparing(PrincipalRef::id);

  private final Map<String, SortedSet<PrincipalRef>> approvers = new HashMap<>();
  private final Map<String, SortedSet<PrincipalRef>> deniers = new HashMap<>();
  private final Map<String, SortedSet<PrincipalRef>> outweighed = new HashMap<>();

  private Tally() {}

  static Tally of(Collection<Vote> votes) {
    Tally tally = new Tally();
    Set<PrincipalRef> denying = new HashSet<>();
    for (Vote vote : votes) {
      if (vote.decision() == AttestationDecision.DENY) {
        denying.add(vote.party());
        put(tally.deniers, vote);
      }
    }
    for (Vote vote : votes) {
      if (vote.decision() == AttestationDecision.APPROVE) {
        put(denying.contains(vote.party()) ? tally.outweighed : tally.approvers, vote);
      }
    }
    return tally;
  }

  private static void put(Map<String, SortedSet<PrincipalRef>> byClass, Vote vote) {
    byClass.computeIfAbsent(vote.witnessClass(), key -> new TreeSet<>(BY_NAME)).add(vote.party());
  }

  /** The identities whose approve under the class counts. */
  Set<PrincipalRef> approvers(String witnessClass) {
    return in(approvers, witnessClass);
  }

  /** The identities that deny under the class. */
  Set<PrincipalRef> deniers(String witnessClass) {
    return in(deniers, witnessClass);
  }

  /** The identities whose approve under the class does not count, because they deny as well. */
  Set<PrincipalRef> outweighed(String witnessClass) {
    return in(outweighed, witnessClass);
  }

  private static Set<PrincipalRef> in(
      Map<String, SortedSet<PrincipalRef>> byClass, String witnessClass) {
    SortedSet<PrincipalRef> there = byClass.get(witnessClass);
    return there == null ? Set.of() : there;
  }
}
