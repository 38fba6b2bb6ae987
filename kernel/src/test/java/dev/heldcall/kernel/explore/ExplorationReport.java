package dev.heldcall.kernel.explore;

import java.util.List;

/**
 * What was explored, in numbers that are the same on every run.
 *
 * @param explored a line each
 * @param transitions what was visited of the declared ones
 */
record ExplorationReport(List<Exploration> explored, Transitions transitions) {

  ExplorationReport {
    explored = List.copyOf(explored);
  }

  /** A Markdown table and a line on the declared transitions. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("| scenario | situations | moves | depth |\n| --- | ---: | ---: | ---: |\n");
    long states = 0;
    long moves = 0;
    int depth = 0;
    for (Exploration each : explored) {
      row(text, each.scenario().replace("|", "\\|"), each.states(), each.moves(), each.depth());
      states += each.states();
      moves += each.moves();
      depth = Math.max(depth, each.depth());
    }
    row(text, "all", states, moves, depth);
    text.append("\nDeclared transitions: ").append(transitions.size());
    text.append(", unvisited: ").append(transitions.unvisited().size()).append(".\n");
    return text.toString();
  }

  private static void row(StringBuilder text, String name, long states, long moves, int depth) {
    text.append("| %s | %,d | %,d | %d |\n".formatted(name, states, moves, depth));
  }
}
