package dev.heldcall.gateway.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One crash: when, at which point or which form of it, and at the how manieth time.
 *
 * @param point as the scan knows it
 * @param form the point, or the point with a detail
 */
record CrashCase(Phase phase, Kind kind, String point, String form, int times) {

  /** A point that is reached more often than this is also crashed at later. */
  private static final int OFTEN = 9;

  /** Where it matters most what is written: right before, and right after. */
  private static final List<String> TOLD_APART = List.of(":before", ":durable");

  /**
   * All crashes at points that were reached: what is written is told apart by what is written, and
   * what happens often happens early and late.
   */
  static List<CrashCase> all(Scan scan, Reached reached) {
    List<CrashCase> all = new ArrayList<>();
    for (Site site : scan.sites()) {
      for (String point : site.points()) {
        for (Phase phase : phases(site.kind())) {
          Integer times = reached.in(phase).get(point);
          if (times != null) {
            add(all, phase, site, point, times, reached);
            break;
          }
        }
      }
    }
    return all;
  }

  private static List<Phase> phases(Kind kind) {
    return kind == Kind.RECOVERY
        ? List.of(Phase.RESTART, Phase.STORY, Phase.FIRST_START, Phase.STOP)
        : List.of(Phase.STORY, Phase.RESTART, Phase.FIRST_START, Phase.STOP);
  }

  private static void add(
      List<CrashCase> all, Phase phase, Site site, String point, int times, Reached reached) {
    boolean told = TOLD_APART.stream().anyMatch(point::endsWith);
    Map<String, Integer> forms =
        told && (site.kind() == Kind.PERSIST || site.kind() == Kind.CHILD)
            ? reached.detailed(phase, point)
            : Map.of();
    all.add(new CrashCase(phase, site.kind(), point, point, 1));
    for (String form : forms.keySet()) {
      all.add(new CrashCase(phase, site.kind(), point, form, 1));
    }
    if (forms.isEmpty() && times > OFTEN && phase != Phase.STOP) {
      all.add(new CrashCase(phase, site.kind(), point, point, times / 3));
    }
  }

  /** Whether it is the same crash, give or take how often its point was reached. */
  boolean isLike(CrashCase other) {
    return phase == other.phase && form.equals(other.form) && rank() == other.rank();
  }

  /** Each point once comes first, then what is told apart, then what happens later. */
  int rank() {
    return times > 1 ? 2 : form.equals(point) ? 0 : 1;
  }

  /** How a process is told. */
  String order() {
    return times + " " + form;
  }

  /** As the table names it. */
  String name() {
    return form + (times == 1 ? "" : " (later)");
  }
}
