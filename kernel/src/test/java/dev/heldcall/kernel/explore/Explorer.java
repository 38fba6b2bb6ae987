package dev.heldcall.kernel.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Visits, breadth first, every situation that a scenario can come to, and judges each. */
final class Explorer {

  private final Scenario scenario;
  private final int bound;
  private final List<Moves> moves;
  private final Incarnation incarnation;
  private final Waiting waiting;
  private final Map<String, Integer> known = new HashMap<>();
  private final ArrayDeque<Situation> queue = new ArrayDeque<>();
  private int[] parents = new int[1024];
  private short[] moveOf = new short[1024];
  private int[] onward = new int[1024];
  private int expanding;
  private int ordinal;
  private int bestRank;
  private long taken;

  private Explorer(Scenario scenario, Transitions transitions, int bound) {
    this.scenario = scenario;
    this.bound = bound;
    this.incarnation = new Incarnation(scenario, transitions);
    this.waiting = new Waiting(scenario, incarnation);
    this.moves =
        List.of(
            new PeopleMoves(scenario, incarnation),
            new HostileMoves(scenario, incarnation),
            new ClientMoves(scenario, incarnation),
            new ToolMoves(scenario, incarnation),
            new ReadBackMoves(scenario, incarnation),
            new ProcessMoves(scenario, incarnation));
  }

  /** Explores all of the scenario, or up to the first fault. */
  static Exploration explore(Scenario scenario, Transitions transitions, int bound) {
    return new Explorer(scenario, transitions, bound).run();
  }

  private Exploration run() {
    add(new Situation(), -1, 0);
    while (!queue.isEmpty()) {
      Situation at = queue.remove();
      Fan fan = new Fan((name, rank, after) -> take(rank, after));
      ordinal = 0;
      bestRank = Integer.MAX_VALUE;
      try {
        onward[expanding] = -1;
        for (Moves each : moves) {
          each.from(at, fan);
        }
        if (waiting.forWhom(at) != null) {
          onward[expanding] = SETTLED;
        } else if (onward[expanding] < 0) {
          throw new Violation("stuck: nobody is named, and nothing that is owed changes anything");
        }
      } catch (RuntimeException e) {
        String what =
            e instanceof Violation ? String.valueOf(e.getMessage()) : "the core threw " + e;
        return found(what, path(expanding, fan.name()));
      }
      if (known.size() > bound) {
        return found("more than " + bound + " situations", List.of());
      }
      expanding++;
    }
    int circling = circling();
    return circling < 0
        ? new Exploration(scenario.name(), known.size(), taken, depth(), null, List.of())
        : found("circling: what is owed leads nowhere", path(circling, "…"));
  }

  private static final int SETTLED = -2;

  private Exploration found(String what, List<String> path) {
    return new Exploration(scenario.name(), known.size(), taken, depth(), what, path);
  }

  private void take(int rank, Situation after) {
    ordinal++;
    taken++;
    int target = add(after, expanding, ordinal);
    if (rank >= 0 && rank < bestRank && target != expanding) {
      bestRank = rank;
      onward[expanding] = target;
    }
  }

  private int add(Situation situation, int parent, int move) {
    String key = SituationKey.of(scenario, situation);
    Integer there = known.get(key);
    if (there != null) {
      return there;
    }
    int index = known.size();
    known.put(key, index);
    if (index == parents.length) {
      parents = Arrays.copyOf(parents, index * 2);
      moveOf = Arrays.copyOf(moveOf, index * 2);
      onward = Arrays.copyOf(onward, index * 2);
    }
    parents[index] = parent;
    moveOf[index] = (short) move;
    queue.add(situation);
    return index;
  }

  private int depth() {
    int depth = 0;
    for (int each = known.size() - 1; each > 0; each = parents[each]) {
      depth++;
    }
    return depth;
  }

  /** A situation from which following what is owed never comes to an end, or -1. */
  private int circling() {
    int[] mark = new int[known.size()];
    for (int start = 0; start < mark.length; start++) {
      int each = start;
      while (each >= 0 && mark[each] == 0) {
        mark[each] = start + 1;
        each = onward[each];
      }
      if (each >= 0 && mark[each] == start + 1) {
        return each;
      }
    }
    return -1;
  }

  /** The moves that lead to a situation, told again by making them again. */
  private List<String> path(int index, String last) {
    List<Integer> ordinals = new ArrayList<>();
    for (int each = index; each > 0; each = parents[each]) {
      ordinals.add((int) moveOf[each]);
    }
    List<String> names = new ArrayList<>();
    Situation at = new Situation();
    for (int wanted : ordinals.reversed()) {
      Again again = new Again(wanted);
      try {
        for (Moves each : moves) {
          each.from(at, new Fan(again));
        }
      } catch (RuntimeException e) {
        names.add("(" + e + ")");
      }
      if (again.after == null) {
        break;
      }
      names.add(again.name);
      at = again.after;
    }
    names.add(last);
    names.add("from " + SituationKey.of(scenario, at));
    return names;
  }

  private static final class Again implements Fan.Taker {
    private final int wanted;
    private int count;
    private String name = "";
    private @Nullable Situation after;

    private Again(int wanted) {
      this.wanted = wanted;
    }

    @Override
    public void take(String move, int rank, Situation situation) {
      count++;
      if (count == wanted) {
        name = move;
        after = situation;
      }
    }
  }
}
