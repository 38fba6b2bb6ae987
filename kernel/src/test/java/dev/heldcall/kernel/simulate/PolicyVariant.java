package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A policy that may be in force, and beside it, written out by hand, what it means: the oracle goes
 * by that, and not by what the product makes of the policy.
 *
 * @param name for people
 * @param layers what the product is given
 * @param verdict what it says of every call
 * @param contract what it demands, or null
 * @param contractDigest of the contract, or null
 * @param elsewhere a tool that is at another address under it, or an empty text
 * @param agentMay whether the proposer holds the tools' capability under it
 */
record PolicyVariant(
    String name,
    PolicyLayers layers,
    VerdictKind verdict,
    @Nullable Contract contract,
    @Nullable Digest contractDigest,
    String elsewhere,
    boolean agentMay) {

  /** How long a call may be held under any of them, in seconds. */
  static final int EXPIRES_SECONDS = 90;

  /** Those that calls are begun under and that come into force later. */
  static final List<PolicyVariant> ALL =
      List.of(
          held("human", List.of(), List.of(), OnRefuted.DENY, ""),
          new PolicyVariant("allow", CoreFixtures.ALLOW, VerdictKind.ALLOW, null, null, "", true),
          held(
              "human & ci",
              List.of(),
              List.of(Independence.DISTINCT_IDENTITIES),
              OnRefuted.DENY,
              ""),
          held("quorum(2, human)", List.of("compliance"), List.of(), OnRefuted.DENY, ""),
          held("fallback(ci, 20s, human)", List.of(), List.of(), OnRefuted.DENY, ""),
          held("human | ci", List.of(), List.of(), OnRefuted.HOLD, ""),
          held("human", List.of(), List.of(), OnRefuted.DENY, CoreFixtures.TRANSFER),
          new PolicyVariant("deny", CoreFixtures.DENY, VerdictKind.DENY, null, null, "", true),
          new PolicyVariant(
              "no capability", CoreFixtures.ALLOW, VerdictKind.DENY, null, null, "", false));

  /** How many of them a call may be begun under; the others come later, if at all. */
  static final int FIRST = 6;

  private static PolicyVariant held(
      String rule,
      List<String> veto,
      List<Independence> independence,
      OnRefuted onRefuted,
      String elsewhere) {
    Contract contract =
        new Contract(
            rule,
            new TreeSet<>(veto),
            new TreeSet<>(independence),
            onRefuted,
            EXPIRES_SECONDS,
            false);
    String fields =
        "{'expires_s': %d, 'veto': [%s], 'independence': [%s], 'on_refuted': '%s'}"
            .formatted(
                EXPIRES_SECONDS,
                quoted(veto),
                quoted(independence.stream().map(Independence::wireName).toList()),
                onRefuted.wireName());
    PolicyLayers layers =
        CoreFixtures.layers(
            CoreFixtures.demandRule(rule, fields),
            "{'rules': [], 'default': 'DEFER'}",
            elsewhere.isEmpty() ? CoreFixtures.TOOLS : CoreFixtures.toolsElsewhere(elsewhere));
    return new PolicyVariant(
        elsewhere.isEmpty() ? rule : rule + ", " + elsewhere + " elsewhere",
        layers,
        VerdictKind.REQUIRE_WITNESS,
        contract,
        Digests.contract(contract),
        elsewhere,
        true);
  }

  private static String quoted(List<String> words) {
    return String.join(", ", words.stream().map(each -> "'" + each + "'").toList());
  }

  /** The variant as some read finds it. */
  PolicyInForce inForce(long epoch, boolean fresh, boolean floorAgreed) {
    PolicyInForce usual = CoreFixtures.inForce(layers, epoch);
    return new PolicyInForce(
        layers,
        epoch,
        fresh,
        floorAgreed,
        agentMay ? usual.capabilitiesNow() : ref -> new TreeSet<>(Set.of()),
        usual.roster(),
        KeyStandings.ALL_STAND);
  }
}
