package dev.heldcall.plugin.api;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What must be witnessed before a held call may run. Its digest covers exactly these parts: no
 * epoch, rule id or time of day (DESIGN.md, rule 10), so that a policy edit without effect on a
 * call costs no evidence.
 *
 * @param rule the canonical text of the witness rule
 * @param veto classes of which one valid deny refutes the call
 * @param independence what is asked of witnesses; {@link Independence#NOT_PROPOSER} is always there
 * @param onRefuted what happens when the rule can no longer become true
 * @param expiresSeconds how long the call may be held, in seconds, 1 or more
 * @param signed whether only signed attestations count
 */
public record Contract(
    String rule,
    SortedSet<String> veto,
    SortedSet<Independence> independence,
    OnRefuted onRefuted,
    long expiresSeconds,
    boolean signed) {

  public Contract {
    if (rule.isEmpty()) {
      throw new IllegalArgumentException("a contract needs a rule");
    }
    if (expiresSeconds < 1) {
      throw new IllegalArgumentException("a contract expires after 1 s or more");
    }
    veto = Collections.unmodifiableSortedSet(new TreeSet<>(veto));
    TreeSet<Independence> all = new TreeSet<>(independence);
    all.add(Independence.NOT_PROPOSER);
    independence = Collections.unmodifiableSortedSet(all);
  }

  /** A contract with every default: no veto, 24 h, not-proposer, deny, unsigned (CONFIG.md). */
  public static Contract of(String rule) {
    return new Contract(
        rule,
        new TreeSet<>(),
        new TreeSet<>(Set.of(Independence.NOT_PROPOSER)),
        OnRefuted.DENY,
        86_400,
        false);
  }
}
