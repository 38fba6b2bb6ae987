package dev.heldcall.kernel.simulate;

import java.util.SplittableRandom;

/**
 * Decides what goes wrong, and counts it. Each seed has its own mixture: some faults rage, some are
 * absent, because what hides behind a rare fault is not found where every fault is common.
 */
final class Faults {

  private static final Fault[] ALL = Fault.values();
  private static final int[] INTENSITIES = {0, 0, 1, 1, 1, 2, 4};

  private final SplittableRandom random;
  private final int[] intensity = new int[ALL.length];
  private final int[] struck = new int[ALL.length];
  private boolean stopped;

  Faults(SplittableRandom random) {
    this.random = random;
    for (int i = 0; i < intensity.length; i++) {
      intensity[i] = INTENSITIES[random.nextInt(INTENSITIES.length)];
    }
  }

  /** Whether the fault strikes at this chance of it. */
  boolean strikes(Fault fault) {
    int chance = fault.perMille * intensity[fault.ordinal()];
    if (stopped || chance == 0 || random.nextInt(1000) >= chance) {
      return false;
    }
    struck[fault.ordinal()]++;
    return true;
  }

  /** Counts what happened by itself, or by the seed's plan. */
  void count(Fault fault) {
    struck[fault.ordinal()]++;
  }

  /** From now on nothing goes wrong by itself. */
  void stop() {
    stopped = true;
  }

  boolean stopped() {
    return stopped;
  }

  /** How often each struck, by ordinal. */
  int[] struck() {
    return struck.clone();
  }
}
