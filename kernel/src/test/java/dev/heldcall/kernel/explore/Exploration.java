package dev.heldcall.kernel.explore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of exploring a scenario.
 *
 * @param scenario its name
 * @param states situations that differ
 * @param moves moves made between them
 * @param depth moves to the farthest one, the shortest way
 * @param fault what must never be and is, or null
 * @param path the moves that lead to it
 */
record Exploration(
    String scenario, int states, long moves, int depth, @Nullable String fault, List<String> path) {

  Exploration {
    path = List.copyOf(path);
  }
}
