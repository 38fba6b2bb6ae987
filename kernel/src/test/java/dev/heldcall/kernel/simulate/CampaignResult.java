package dev.heldcall.kernel.simulate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of many seeds. */
final class CampaignResult {

  private static final int KEPT = 10;

  private final long from;
  private final long seeds;
  private final Map<Fault, Long> struck = new EnumMap<>(Fault.class);
  private final List<SeedResult> broken = new ArrayList<>();
  private long played;
  private long live;
  private long steps;
  private long violations;

  private CampaignResult(long from, long seeds) {
    this.from = from;
    this.seeds = seeds;
  }

  static CampaignResult of(long from, long seeds) {
    return new CampaignResult(from, seeds);
  }

  void add(SeedResult one) {
    played++;
    live += one.live() ? 1 : 0;
    steps += one.steps();
    one.struck().forEach((fault, times) -> struck.merge(fault, times, Long::sum));
    if (one.violation() != null) {
      violations++;
      keep(one);
    }
  }

  void add(CampaignResult part) {
    played += part.played;
    live += part.live;
    steps += part.steps;
    violations += part.violations;
    part.struck.forEach((fault, times) -> struck.merge(fault, times, Long::sum));
    part.broken.forEach(this::keep);
  }

  private void keep(SeedResult one) {
    broken.add(one);
    broken.sort((a, b) -> Long.compare(a.seed(), b.seed()));
    if (broken.size() > KEPT) {
      broken.removeLast();
    }
  }

  /** The seeds that found something, lowest first, a few at most. */
  List<SeedResult> broken() {
    return List.copyOf(broken);
  }

  long struck(Fault fault) {
    return struck.getOrDefault(fault, 0L);
  }

  /** The run as a table. */
  String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "seeds %d to %d: %d safety runs, %d liveness runs, %d steps, %d violations%n%n",
            from,
            from + seeds - 1,
            played - live,
            live,
            steps,
            violations));
    for (Fault fault : Fault.values()) {
      text.append(String.format(Locale.ROOT, "%12d  %s%n", struck(fault), fault.text));
    }
    return text.toString();
  }
}
