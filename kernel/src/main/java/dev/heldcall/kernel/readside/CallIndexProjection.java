package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.codec.JournalCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.projection.eventsourced.EventEnvelope;
import org.apache.pekko.projection.jdbc.javadsl.JdbcHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index of calls: for every call that a group of events is about, the row is made anew
 * from the call's whole journal through the reducer. So it does not matter how often or in what
 * grouping events come, and a row can never say what the ledger does not.
 *
 * <p>It is also the safety net of what is done faster elsewhere: a conclusion is put into the
 * mailbox if it is not there, and calls that wait for a concluded one are made due.
 */
public final class CallIndexProjection
    extends JdbcHandler<List<EventEnvelope<HeldCallEvent>>, PooledSession> {

  private static final Logger LOG = LoggerFactory.getLogger(CallIndexProjection.class);

  private final CallIndex index;
  private final Edges edges;
  private final Conclusions conclusions;
  private final JournalCodec codec;

  /** Puts a conclusion into its mailbox, and marks it acknowledged. */
  public interface Conclusions {

    /** Puts the conclusion in, once however often it is called. */
    void offer(Connection connection, HeldCallFacts facts) throws SQLException;

    /** Marks it acknowledged. */
    void acknowledged(Connection connection, HeldCallFacts facts) throws SQLException;
  }

  /** Keeps {@code index} and {@code edges}. */
  public CallIndexProjection(
      CallIndex index, Edges edges, Conclusions conclusions, JournalCodec codec) {
    this.index = index;
    this.edges = edges;
    this.conclusions = conclusions;
    this.codec = codec;
  }

  @Override
  public void process(PooledSession session, List<EventEnvelope<HeldCallEvent>> group)
      throws Exception {
    Set<String> changed = new LinkedHashSet<>();
    for (EventEnvelope<HeldCallEvent> envelope : group) {
      changed.add(envelope.persistenceId());
    }
    session.withConnection(
        connection -> {
          for (String persistenceId : changed) {
            index(connection, persistenceId);
          }
          return changed.size();
        });
  }

  private void index(Connection connection, String persistenceId) throws SQLException {
    HeldCallFacts facts = HeldCallFacts.NONE;
    long sequence = 0;
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT sequence_number, event_ser_manifest, event_payload FROM event_journal"
                + " WHERE persistence_id = ? AND deleted = FALSE ORDER BY sequence_number")) {
      select.setString(1, persistenceId);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          sequence = rows.getLong(1);
          HeldCallEvent event = (HeldCallEvent) codec.read(rows.getString(2), rows.getBytes(3));
          facts = HeldCallReducer.reduce(facts, event);
        }
      }
    }
    if (!facts.proposed()) {
      LOG.error("{}: its journal does not begin with a proposal", persistenceId);
      return;
    }
    index.upsert(connection, CallRows.of(facts, sequence));
    addEdges(connection, facts);
    if (facts.concluded()) {
      conclusions.offer(connection, facts);
      if (facts.delivery() == Delivery.ACKNOWLEDGED) {
        conclusions.acknowledged(connection, facts);
      }
      wakeDependents(connection, facts);
    }
  }

  private void addEdges(Connection connection, HeldCallFacts facts) throws SQLException {
    String heldId = facts.requireSpec().heldId();
    for (String dependency : facts.dependencies().keySet()) {
      edges.add(connection, new Edges.Edge(heldId, dependency, Edges.Kind.DEPENDS_ON));
    }
    for (String child : facts.children().keySet()) {
      edges.add(connection, new Edges.Edge(heldId, child, Edges.Kind.PARENT));
    }
  }

  private static void wakeDependents(Connection connection, HeldCallFacts facts)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE call_index SET due_at = ? WHERE NOT ended AND held_id IN"
                + " (SELECT dependent FROM call_edge WHERE dependency = ?)")) {
      update.setLong(1, facts.lastEventAt().toEpochMilli());
      update.setString(2, facts.requireSpec().heldId());
      update.executeUpdate();
    }
  }
}
