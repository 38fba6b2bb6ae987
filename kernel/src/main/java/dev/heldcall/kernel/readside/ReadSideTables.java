package dev.heldcall.kernel.readside;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Everything that the read side has of calls, as a function of their facts: the row of the index,
 * the conclusion in the mailbox, the edges. Writing the same facts again changes nothing, so it
 * does not matter how often or by whom it is done. A call's row and its conclusion are written in
 * one transaction: where the index shows a concluded call, the mailbox has it.
 */
public final class ReadSideTables {

  private final Store store;
  private final CallIndex index;
  private final Mailbox mailbox;
  private final Edges edges;
  private final RouteAlignment routes;
  private final Function<HeldCallFacts, ObjectNode> item;

  /**
   * @param item what the mailbox shows of a conclusion
   */
  public ReadSideTables(Store store, Function<HeldCallFacts, ObjectNode> item) {
    this(store, item, WitnessProviders.NONE);
  }

  /**
   * @param item what the mailbox shows of a conclusion
   * @param providers who may be asked
   */
  public ReadSideTables(
      Store store, Function<HeldCallFacts, ObjectNode> item, WitnessProviders providers) {
    this.store = store;
    this.routes = new RouteAlignment(providers, new RouteTable(store));
    this.index = new CallIndex(store);
    this.mailbox = new Mailbox(store);
    this.edges = new Edges(store);
    this.item = item;
  }

  /**
   * A call at a point of its journal.
   *
   * @param facts its facts
   * @param sequence the sequence number of the last event in them
   * @param wake whether a call that is not concluded shall be woken soon: after a crash nobody
   *     knows what it missed
   */
  public record Seen(HeldCallFacts facts, long sequence, boolean wake) {
    /** Its id. */
    public String heldId() {
      return facts.requireSpec().heldId();
    }
  }

  /**
   * Writes calls in one transaction; of each call the list has one.
   *
   * @return the conclusions that were not in their mailboxes before
   */
  public List<Mailbox.Appended> write(Collection<Seen> calls) throws SQLException {
    List<Seen> ordered = new ArrayList<>(calls);
    ordered.sort(Comparator.comparing(Seen::heldId));
    // A session receives conclusions in the order in which they came about, however they are
    // grouped.
    List<Seen> byTime = new ArrayList<>(calls);
    byTime.sort(Comparator.comparing(call -> call.facts().lastEventAt()));
    return store.inTransaction(
        connection -> {
          List<Mailbox.Appended> appended = conclude(connection, byTime);
          List<String> dependents = lockedDependents(connection, ordered);
          index.upsertAll(connection, ordered.stream().map(ReadSideTables::row).toList());
          for (Seen call : ordered) {
            addEdges(connection, call.facts());
            routes.align(connection, call);
          }
          wakeDependents(connection, dependents, ordered);
          return appended;
        });
  }

  /**
   * The calls that wait for those that are concluded. Their rows and those that are written are
   * locked in one order everywhere, so that nobody waits in a circle: two groups may each have a
   * call that the other's conclusion wakes.
   */
  private List<String> lockedDependents(Connection connection, List<Seen> calls)
      throws SQLException {
    List<String> concluded =
        calls.stream().filter(each -> each.facts().concluded()).map(Seen::heldId).toList();
    if (concluded.isEmpty()) {
      return List.of();
    }
    List<String> dependents = edges.dependentsOf(connection, concluded);
    if (!dependents.isEmpty()) {
      SortedSet<String> rows = new TreeSet<>(dependents);
      calls.forEach(each -> rows.add(each.heldId()));
      index.lock(connection, rows);
    }
    return dependents;
  }

  private static CallRow row(Seen call) {
    CallRow row = CallRows.of(call.facts(), call.sequence());
    return call.wake() && !call.facts().concluded()
        ? row.dueAt(call.facts().lastEventAt().toEpochMilli())
        : row;
  }

  private List<Mailbox.Appended> conclude(Connection connection, List<Seen> calls)
      throws SQLException {
    List<String> acknowledged =
        calls.stream()
            .map(Seen::facts)
            .filter(facts -> facts.concluded() && facts.delivery() == Delivery.ACKNOWLEDGED)
            .map(OutcomeJson::deliveryId)
            .toList();
    Set<String> missing = mailbox.acknowledge(connection, acknowledged);
    List<Mailbox.Entry> entries = new ArrayList<>();
    for (Seen call : calls) {
      HeldCallFacts facts = call.facts();
      if (facts.concluded()
          && (facts.delivery() != Delivery.ACKNOWLEDGED
              || missing.contains(OutcomeJson.deliveryId(facts)))) {
        entries.add(
            new Mailbox.Entry(
                SessionKey.of(facts.requireSpec()),
                OutcomeJson.deliveryId(facts),
                call.heldId(),
                item.apply(facts).toString()));
      }
    }
    List<Mailbox.Appended> appended = mailbox.append(connection, entries);
    mailbox.acknowledge(connection, missing);
    return appended.stream()
        .map(each -> missing.contains(each.item().deliveryId()) ? each.acknowledged() : each)
        .toList();
  }

  private void addEdges(Connection connection, HeldCallFacts facts) throws SQLException {
    String heldId = facts.requireSpec().heldId();
    boolean waits = false;
    for (var dependency : facts.dependencies().entrySet()) {
      edges.add(connection, new Edges.Edge(heldId, dependency.getKey(), Edges.Kind.DEPENDS_ON));
      waits |= dependency.getValue() == DependencyState.PENDING;
    }
    for (String child : facts.children().keySet()) {
      edges.add(connection, new Edges.Edge(heldId, child, Edges.Kind.PARENT));
      waits |= !facts.settledChildren().contains(child);
    }
    if (waits) {
      wakeIfSettled(connection, heldId, facts.lastEventAt().toEpochMilli());
    }
  }

  /** What the call waits for may have ended before the edge was there to wake it by. */
  private static void wakeIfSettled(Connection connection, String heldId, long atMillis)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE call_index SET due_at = ? WHERE held_id = ? AND NOT ended AND EXISTS"
                + " (SELECT 1 FROM call_edge JOIN call_index other ON other.held_id = dependency"
                + " WHERE dependent = ? AND other.ended)")) {
      update.setLong(1, atMillis);
      update.setString(2, heldId);
      update.setString(3, heldId);
      update.executeUpdate();
    }
  }

  /** Those whose edges are of this very transaction were woken with them. */
  private static void wakeDependents(
      Connection connection, List<String> dependents, List<Seen> calls) throws SQLException {
    long at = calls.getFirst().facts().lastEventAt().toEpochMilli();
    for (String dependent : dependents) {
      try (PreparedStatement update =
          connection.prepareStatement(
              "UPDATE call_index SET due_at = ? WHERE held_id = ? AND NOT ended")) {
        update.setLong(1, at);
        update.setString(2, dependent);
        update.executeUpdate();
      }
    }
  }
}
