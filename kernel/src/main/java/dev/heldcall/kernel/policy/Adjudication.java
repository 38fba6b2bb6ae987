package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policy says of one call.
 *
 * @param verdict the effective verdict, never DEFER
 * @param contract the joined contract; there exactly under REQUIRE_WITNESS
 * @param reasons of the rules that decided, at most {@value #MAX_REASONS}
 * @param trace every rule that matched, at most {@value #MAX_TRACE} with a last one that says so
 * @param disclosure what others than the proposer see of the arguments, before its own preference
 */
public record Adjudication(
    VerdictKind verdict,
    @Nullable Contract contract,
    List<Reason> reasons,
    List<Trace> trace,
    DisclosureRule disclosure) {

  /** The most reasons shown. */
  public static final int MAX_REASONS = 32;

  /** The most trace lines shown. */
  public static final int MAX_TRACE = 128;

  /** What policy says, with arguments that everybody sees whole. */
  public Adjudication(
      VerdictKind verdict, @Nullable Contract contract, List<Reason> reasons, List<Trace> trace) {
    this(verdict, contract, reasons, trace, DisclosureRule.FULL);
  }

  public Adjudication {
    if (verdict == VerdictKind.DEFER) {
      throw new IllegalArgumentException("DEFER is no effective verdict");
    }
    if ((verdict == VerdictKind.REQUIRE_WITNESS) != (contract != null)) {
      throw new IllegalArgumentException("a contract belongs to REQUIRE_WITNESS, and only to it");
    }
    reasons = List.copyOf(reasons.size() > MAX_REASONS ? reasons.subList(0, MAX_REASONS) : reasons);
    trace = bounded(trace);
  }

  private static List<Trace> bounded(List<Trace> trace) {
    if (trace.size() <= MAX_TRACE) {
      return List.copyOf(trace);
    }
    List<Trace> cut = new java.util.ArrayList<>(trace.subList(0, MAX_TRACE - 1));
    int left = trace.size() - cut.size();
    cut.add(new Trace("kernel", "", VerdictKind.DEFER, left + " more rules matched"));
    return List.copyOf(cut);
  }
}
