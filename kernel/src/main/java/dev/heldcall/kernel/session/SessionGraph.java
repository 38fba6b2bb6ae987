package dev.heldcall.kernel.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.OrderedPSet;
import org.pcollections.PMap;

/**
 * Who waits for whom among the calls of a session: a dependent for its dependencies, a parent for
 * its children (the design, dependencies and invariant 13). Immutable.
 *
 * <p>Only calls with edges of their own are in it. A call that waits for nobody is at level 1, any
 * other one level above the highest that it waits for. All edges that a link adds touch the linked
 * call, so a new cycle and a new longest chain go through it: only these are looked at. The maps
 * share structure from graph to graph, so that recovering a session of n links takes about n steps.
 */
public final class SessionGraph {

  /** The most levels a chain of waiting calls may have. */
  public static final int MAX_LEVELS = 16;

  /** The most calls with edges of their own in one session. */
  public static final int MAX_CALLS = 10_000;

  /** A graph without a call. */
  public static final SessionGraph EMPTY =
      new SessionGraph(HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, OwnEdges> calls;
  private final PMap<String, OrderedPSet<String>> children;
  private final PMap<String, OrderedPSet<String>> dependents;

  private SessionGraph(
      PMap<String, OwnEdges> calls,
      PMap<String, OrderedPSet<String>> children,
      PMap<String, OrderedPSet<String>> dependents) {
    this.calls = calls;
    this.children = children;
    this.dependents = dependents;
  }

  /** The edges that a call brought itself. */
  private record OwnEdges(OrderedPSet<String> dependsOn, @Nullable String parent) {

    static final OwnEdges NONE = of(List.of(), null);

    static OwnEdges of(List<String> dependsOn, @Nullable String parent) {
      return new OwnEdges(OrderedPSet.from(dependsOn), parent);
    }
  }

  /** What became of a link. */
  public sealed interface Linking {}

  /** The graph with the call's edges. */
  public record Accepted(SessionGraph graph) implements Linking {}

  /**
   * The call would wait for itself.
   *
   * @param path from the call over those that wait for one another back to the call
   */
  public record Cycle(List<String> path) implements Linking {
    public Cycle {
      path = List.copyOf(path);
    }
  }

  /**
   * Calls would wait for one another over too many levels.
   *
   * @param levels how many, above {@link #MAX_LEVELS}
   */
  public record TooDeep(int levels) implements Linking {}

  /** The session has {@link #MAX_CALLS} calls with edges already. */
  public record Full() implements Linking {}

  /**
   * Gives a call its edges. A call that is linked again loses the edges it brought before: it was
   * not created by the first try.
   *
   * @param heldId the call
   * @param dependsOn whom it waits for; doubles count once
   * @param parent who waits for it, or null
   */
  public Linking link(String heldId, List<String> dependsOn, @Nullable String parent) {
    SessionGraph linked = with(heldId, dependsOn, parent);
    List<String> cycle = linked.cycleThrough(heldId);
    if (!cycle.isEmpty()) {
      return new Cycle(cycle);
    }
    int levels =
        height(heldId, linked::waitsFor, new HashMap<>())
            + height(heldId, linked::waiters, new HashMap<>())
            - 1;
    if (levels > MAX_LEVELS) {
      return new TooDeep(levels);
    }
    return linked.calls.size() > MAX_CALLS ? new Full() : new Accepted(linked);
  }

  /** Whether the call has exactly these edges of its own already. */
  boolean holds(String heldId, List<String> dependsOn, @Nullable String parent) {
    return ownEdges(heldId).equals(OwnEdges.of(dependsOn, parent));
  }

  /** The graph with a link that was accepted before, without judging it again. */
  SessionGraph with(String heldId, List<String> dependsOn, @Nullable String parent) {
    OwnEdges before = ownEdges(heldId);
    OwnEdges after = OwnEdges.of(dependsOn, parent);
    if (before.equals(after)) {
      return this;
    }
    var newDependents = dependents;
    for (String dependency : before.dependsOn()) {
      newDependents = without(newDependents, dependency, heldId);
    }
    for (String dependency : after.dependsOn()) {
      newDependents = with(newDependents, dependency, heldId);
    }
    var newChildren = children;
    if (before.parent() != null) {
      newChildren = without(newChildren, before.parent(), heldId);
    }
    if (after.parent() != null) {
      newChildren = with(newChildren, after.parent(), heldId);
    }
    return new SessionGraph(
        after.equals(OwnEdges.NONE) ? calls.minus(heldId) : calls.plus(heldId, after),
        newChildren,
        newDependents);
  }

  private static PMap<String, OrderedPSet<String>> with(
      PMap<String, OrderedPSet<String>> sets, String key, String value) {
    return sets.plus(key, members(sets, key).plus(value));
  }

  private static PMap<String, OrderedPSet<String>> without(
      PMap<String, OrderedPSet<String>> sets, String key, String value) {
    OrderedPSet<String> fewer = members(sets, key).minus(value);
    return fewer.isEmpty() ? sets.minus(key) : sets.plus(key, fewer);
  }

  private static OrderedPSet<String> members(PMap<String, OrderedPSet<String>> sets, String key) {
    OrderedPSet<String> members = sets.get(key);
    return members == null ? OrderedPSet.empty() : members;
  }

  private OwnEdges ownEdges(String heldId) {
    OwnEdges edges = calls.get(heldId);
    return edges == null ? OwnEdges.NONE : edges;
  }

  /** Whom the call waits for: its dependencies and its children. */
  public Set<String> waitsFor(String heldId) {
    return union(ownEdges(heldId).dependsOn(), members(children, heldId));
  }

  /** Who waits for the call: its dependents and its parent. */
  public Set<String> waiters(String heldId) {
    String parent = ownEdges(heldId).parent();
    return union(members(dependents, heldId), parent == null ? Set.of() : Set.of(parent));
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    if (others.isEmpty()) {
      return some;
    }
    Set<String> all = new LinkedHashSet<>(some);
    all.addAll(others);
    return Collections.unmodifiableSet(all);
  }

  /** How many calls have edges of their own. */
  public int size() {
    return calls.size();
  }

  /** A shortest way from the call back to itself, empty if there is none. */
  private List<String> cycleThrough(String heldId) {
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(heldId));
    Set<String> seen = new HashSet<>();
    while (!open.isEmpty()) {
      String at = open.remove();
      for (String next : waitsFor(at)) {
        if (next.equals(heldId)) {
          return path(heldId, at, cameFrom);
        }
        if (seen.add(next)) {
          cameFrom.put(next, at);
          open.add(next);
        }
      }
    }
    return List.of();
  }

  private static List<String> path(String heldId, String last, Map<String, String> cameFrom) {
    List<String> path = new ArrayList<>(List.of(heldId));
    for (String at = last; at != null && !at.equals(heldId); at = cameFrom.get(at)) {
      path.add(at);
    }
    path.add(heldId);
    return path.reversed();
  }

  /** The levels of the longest chain that begins at the call; the graph has no cycle. */
  private static int height(
      String heldId, Function<String, Set<String>> next, Map<String, Integer> found) {
    Integer known = found.get(heldId);
    if (known != null) {
      return known;
    }
    int highest = 0;
    for (String other : next.apply(heldId)) {
      highest = Math.max(highest, height(other, next, found));
    }
    found.put(heldId, highest + 1);
    return highest + 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SessionGraph graph && calls.equals(graph.calls);
  }

  @Override
  public int hashCode() {
    return calls.hashCode();
  }

  @Override
  public String toString() {
    return "SessionGraph" + calls;
  }
}
