package dev.heldcall.kernel.simulate;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Decides what goes wrong, and counts it. Each seed has its own mixture: some faults rage, some are
 * absent, because what hides behind a rare fault is not found where every fault is common.
 */
final class Faults {

  private static final int[] INTENSITIES = {0, 0, 1, 1, 1, 2, 4};

  private final SplittableRandom random;
  private final Map<Fault, Integer> chances = new EnumMap<>(Fault.class);
  private final Map<Fault, Long> struck = new EnumMap<>(Fault.class);
  private boolean stopped;

  Faults(SplittableRandom random) {
    this.random = random;
    for (Fault fault : Fault.values()) {
      chances.put(fault, fault.perMille * INTENSITIES[random.nextInt(INTENSITIES.length)]);
    }
  }

  /** Whether the fault strikes at this chance of it. */
  boolean strikes(Fault fault) {
    int chance = chances.getOrDefault(fault, 0);
    if (stopped || chance == 0 || random.nextInt(1000) >= chance) {
      return false;
    }
    count(fault);
    return true;
  }

  /** Counts what happened by itself, or by the seed's plan. */
  void count(Fault fault) {
    struck.merge(fault, 1L, Long::sum);
  }

  /** From now on nothing goes wrong by itself. */
  void stop() {
    stopped = true;
  }

  boolean stopped() {
    return stopped;
  }

  /** How often each struck; those that did not are not in it. */
  Map<Fault, Long> struck() {
    return Map.copyOf(struck);
  }
}
