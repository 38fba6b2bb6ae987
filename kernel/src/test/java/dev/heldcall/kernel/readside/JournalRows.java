package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.json;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.codec.JournalSerializer;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.Boundary;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes journals of calls as the journal plugin does, without an actor system. */
final class JournalRows {

  static final JournalCodec CODEC = new JournalCodec();

  private JournalRows() {}

  /** A proposed call of the session {@code s-1}. */
  static LiveCall call(String callId, PolicyLayers layers, String... dependsOn) {
    return callOf("s-1", callId, layers, dependsOn);
  }

  /** A proposed call. */
  static LiveCall callOf(String session, String callId, PolicyLayers layers, String... dependsOn) {
    LiveCall call = LiveCall.under(layers);
    call.run(
        LiveCall.propose(
            new Proposal(
                session,
                "t-1",
                callId,
                Boundary.TOOL,
                "transfer",
                json("{'amount': 125000}"),
                "ckpt",
                List.of(dependsOn),
                null,
                Preferences.NONE)));
    return call;
  }

  static String heldId(LiveCall call) {
    return call.facts().requireSpec().heldId();
  }

  static String persistenceId(LiveCall call) {
    return "held-call|" + heldId(call);
  }

  /** Writes what the journal does not have of the call yet, as one transaction. */
  static void write(Store store, LiveCall call) throws SQLException {
    long from = new JournalReader(store).maxSequence(persistenceId(call));
    store.inTransaction(connection -> write(connection, call, from + 1));
  }

  /** Writes the call's events from a sequence number on; answers the last one's. */
  static long write(Connection connection, LiveCall call, long from) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO event_journal (persistence_id, sequence_number, writer,"
                + " write_timestamp, adapter_manifest, event_ser_id, event_ser_manifest,"
                + " event_payload) VALUES (?, ?, '', 0, '', ?, ?, ?)")) {
      for (long sequence = from; sequence <= call.journal().size(); sequence++) {
        HeldCallEvent event = call.journal().get((int) sequence - 1);
        insert.setString(1, persistenceId(call));
        insert.setLong(2, sequence);
        insert.setInt(3, JournalSerializer.IDENTIFIER);
        insert.setString(4, CODEC.manifest(event));
        insert.setBytes(5, CODEC.write(event));
        insert.executeUpdate();
      }
    }
    return call.journal().size();
  }
}
