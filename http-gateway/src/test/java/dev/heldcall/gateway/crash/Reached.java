package dev.heldcall.gateway.crash;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Which points were reached, when, and how often at most in one go. */
final class Reached {

  private final Map<Phase, Map<String, Integer>> hits = new EnumMap<>(Phase.class);

  Reached() {
    for (Phase phase : Phase.values()) {
      hits.put(phase, new ConcurrentHashMap<>());
    }
  }

  void add(Phase phase, Map<String, Integer> more) {
    Map<String, Integer> known = in(phase);
    more.forEach((point, times) -> known.merge(point, times, Math::max));
  }

  void add(Reached other) {
    for (Phase phase : Phase.values()) {
      add(phase, other.in(phase));
    }
  }

  /** The points of the phase, those with a detail as well. */
  Map<String, Integer> in(Phase phase) {
    return hits.getOrDefault(phase, Map.of());
  }

  /** The points of the scan that were reached at all. */
  Set<String> points() {
    Set<String> all = new TreeSet<>();
    for (Map<String, Integer> each : hits.values()) {
      each.keySet().stream().filter(point -> point.indexOf('[') < 0).forEach(all::add);
    }
    return all;
  }

  /** The point's forms with a detail in the phase, and how often they were reached. */
  Map<String, Integer> detailed(Phase phase, String point) {
    Map<String, Integer> forms = new TreeMap<>();
    in(phase)
        .forEach(
            (form, times) -> {
              if (form.startsWith(point + "[")) {
                forms.put(form, times);
              }
            });
    return forms;
  }
}
