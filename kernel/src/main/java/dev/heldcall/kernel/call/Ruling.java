package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policy said of a generation, and under which policy.
 *
 * @param generation the generation it is about
 * @param verdict the effective verdict
 * @param contract what must be witnessed, or null if nothing
 * @param contractDigest its digest, or null with it
 * @param reasons which layer and rule said what
 * @param policyVersion digest of the documents that ruled
 * @param epoch the policy epoch it was judged in
 * @param toolDigest digest of the tool's entry, or null for a gate
 * @param traits how the generation is run
 * @param at when
 * @param disclosure what policy lets others than the proposer see of the arguments; null, as in
 *     journals of before there was such a thing, for all of them
 */
public record Ruling(
    int generation,
    VerdictKind verdict,
    @Nullable Contract contract,
    @Nullable Digest contractDigest,
    List<Reason> reasons,
    Digest policyVersion,
    long epoch,
    @Nullable Digest toolDigest,
    ToolTraits traits,
    Instant at,
    @Nullable DisclosureRule disclosure) {

  public Ruling {
    reasons = List.copyOf(reasons);
    disclosure = DisclosureRule.FULL.equals(disclosure) ? null : disclosure;
  }

  /** A ruling under which the arguments are shown whole. */
  public Ruling(
      int generation,
      VerdictKind verdict,
      @Nullable Contract contract,
      @Nullable Digest contractDigest,
      List<Reason> reasons,
      Digest policyVersion,
      long epoch,
      @Nullable Digest toolDigest,
      ToolTraits traits,
      Instant at) {
    this(
        generation,
        verdict,
        contract,
        contractDigest,
        reasons,
        policyVersion,
        epoch,
        toolDigest,
        traits,
        at,
        null);
  }

  /** What policy lets others than the proposer see of the arguments. */
  public DisclosureRule disclosed() {
    return disclosure == null ? DisclosureRule.FULL : disclosure;
  }

  /**
   * One reason for a verdict.
   *
   * @param layer the policy layer
   * @param rule the rule's id within it
   * @param message a sentence for a person
   */
  public record Reason(String layer, String rule, String message) {}
}
