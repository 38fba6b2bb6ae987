package dev.heldcall.kernel.explore;

import java.util.Set;

/**
 * What a policy asks witnesses for.
 *
 * @param need the rule
 * @param veto classes of which one deny refutes
 * @param distinct whether an identity may serve one leaf only
 * @param holdsWhenRefuted whether a refuted call waits instead of being denied
 * @param expires seconds after which the held call has expired
 */
record Demand(
    Need need, Set<String> veto, boolean distinct, boolean holdsWhenRefuted, int expires) {

  static Demand of(Need need, int expires) {
    return new Demand(need, Set.of(), false, false, expires);
  }

  /** The rule of a policy document that demands this of every tool. */
  String document() {
    StringBuilder vetoes = new StringBuilder();
    veto.forEach(each -> vetoes.append(vetoes.isEmpty() ? "" : ", ").append("'" + each + "'"));
    return "{'id': 'all', 'tools': ['*'], 'verdict': 'REQUIRE_WITNESS', 'contract': {'rule': '"
        + need.text()
        + "', 'veto': ["
        + vetoes
        + "], 'independence': ["
        + (distinct ? "'distinct-identities'" : "")
        + "], 'on_refuted': '"
        + (holdsWhenRefuted ? "hold" : "deny")
        + "', 'expires_s': "
        + expires
        + "}}";
  }
}
