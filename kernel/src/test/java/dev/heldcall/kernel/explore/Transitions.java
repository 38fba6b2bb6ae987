package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which event may change which fact from what to what: declared in a table, and held to it both
 * ways. What happens and is not declared is a violation; what is declared and never happens is a
 * dead row.
 */
final class Transitions {

  private final Set<String> declared;
  private final Set<String> visited = ConcurrentHashMap.newKeySet();
  private final boolean strict;

  private Transitions(Set<String> declared, boolean strict) {
    this.declared = declared;
    this.strict = strict;
  }

  /** The declared table. */
  static Transitions declared() {
    return new Transitions(TransitionTable.read(), true);
  }

  /** No table: whatever happens is only noted. */
  static Transitions noted() {
    return new Transitions(Set.of(), false);
  }

  /** Notes what the events of one decision change, in order. */
  void record(HeldCallFacts before, List<HeldCallEvent> events) {
    HeldCallFacts facts = before;
    for (HeldCallEvent event : events) {
      HeldCallFacts next = HeldCallReducer.reduce(facts, event);
      note(facts, event, next);
      facts = next;
    }
  }

  private void note(HeldCallFacts before, HeldCallEvent event, HeldCallFacts after) {
    Map<String, String> was = Dimension.read(before, event.meta().at());
    boolean any = false;
    for (Map.Entry<String, String> each : Dimension.read(after, event.meta().at()).entrySet()) {
      String old = was.getOrDefault(each.getKey(), "none");
      if (!old.equals(each.getValue())) {
        any = true;
        visit(event, Dimension.kind(each.getKey()) + " " + old + " -> " + each.getValue());
      }
    }
    if (!any) {
      visit(event, "changes nothing that counts");
    }
  }

  private void visit(HeldCallEvent event, String change) {
    visit(event.getClass().getSimpleName() + " " + change);
  }

  private void visit(String row) {
    if (!visited.add(row)) {
      return;
    }
    Violation.demand(!strict || declared.contains(row), "undeclared transition: " + row);
  }

  /** Rows that happened. */
  SortedSet<String> visited() {
    return new TreeSet<>(visited);
  }

  /** Rows that are declared. */
  int size() {
    return declared.size();
  }

  /** Rows that are declared and never happened. */
  SortedSet<String> unvisited() {
    TreeSet<String> rows = new TreeSet<>(declared);
    rows.removeAll(visited);
    return rows;
  }
}
