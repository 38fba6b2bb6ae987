package dev.heldcall.kernel.policy;

import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleText;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.WitnessRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Joins the contracts of all rules that demand witnesses into one that satisfies each: rules with
 * {@code &}, the shortest expiry, all vetoes and independence, {@code deny} if one says so, signed
 * if one says so. The same whatever their order, so that moving a rule costs no evidence.
 */
final class ContractJoin {

  private ContractJoin() {}

  /**
   * The joined contract.
   *
   * @param contracts at least one
   * @param timeoutSeconds the proposer's own bound on the hold, or null
   * @throws IllegalArgumentException if the joined rule exceeds the bounds of a rule
   */
  static Contract of(Collection<Contract> contracts, @Nullable Long timeoutSeconds) {
    SortedSet<String> rules = new TreeSet<>();
    SortedSet<String> veto = new TreeSet<>();
    SortedSet<Independence> independence = new TreeSet<>();
    boolean deny = false;
    boolean signed = false;
    long expires = timeoutSeconds == null ? Long.MAX_VALUE : Math.max(1, timeoutSeconds);
    for (Contract contract : contracts) {
      rules.add(contract.rule());
      veto.addAll(contract.veto());
      independence.addAll(contract.independence());
      deny |= contract.onRefuted() == OnRefuted.DENY;
      signed |= contract.signed();
      expires = Math.min(expires, contract.expiresSeconds());
    }
    return new Contract(
        rule(rules), veto, independence, deny ? OnRefuted.DENY : OnRefuted.HOLD, expires, signed);
  }

  /**
   * One rule stays as it is. Of several the parts of each {@code &} are taken as often as the rule
   * that has them most often: {@code human & ci} with {@code human} is no demand for two people.
   */
  private static String rule(SortedSet<String> rules) {
    if (rules.size() == 1) {
      return rules.first();
    }
    Map<String, Integer> counts = new TreeMap<>();
    Map<String, WitnessRule> byText = new TreeMap<>();
    for (String text : rules) {
      WitnessRule rule = RuleParser.parse(text);
      Map<String, Integer> own = new TreeMap<>();
      for (WitnessRule part :
          rule instanceof WitnessRule.AllOf(var parts) ? parts : List.of(rule)) {
        String partText = RuleText.of(part);
        byText.put(partText, part);
        own.merge(partText, 1, Integer::sum);
      }
      own.forEach((part, count) -> counts.merge(part, count, Math::max));
    }
    List<WitnessRule> parts = new ArrayList<>();
    byText.forEach(
        (text, part) -> {
          for (int i = counts.getOrDefault(text, 1); i > 0; i--) {
            parts.add(part);
          }
        });
    return RuleText.of(RuleParser.parse(RuleText.of(new WitnessRule.AllOf(parts))));
  }
}
