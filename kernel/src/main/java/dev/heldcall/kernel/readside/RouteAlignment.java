package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.route.RouteKey;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.plugin.api.Digest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes down with a call's row whom it may ask: a node that dies before it asked anybody leaves a
 * row by which another one finds what is to be done, and a call that needs nobody any more leaves
 * the requests that must be taken back.
 */
final class RouteAlignment {

  private final WitnessProviders providers;
  private final RouteTable table;

  RouteAlignment(WitnessProviders providers, RouteTable table) {
    this.providers = providers;
    this.table = table;
  }

  /**
   * Brings the call's routes in line; costs nothing where nobody is configured to be asked. A call
   * that the index knows a later state of is left alone: what it asked for then is over.
   */
  void align(Connection connection, ReadSideTables.Seen call) throws SQLException {
    HeldCallFacts facts = call.facts();
    Ruling ruling = facts.ruling();
    if (ruling == null || !providers.serve(facts.requireSpec().proposer().org())) {
      return;
    }
    boolean neverHeld = facts.holdStarted() == null && facts.requireGeneration().number() == 1;
    if (neverHeld || overtaken(connection, call)) {
      return;
    }
    Instant now = facts.lastEventAt();
    List<RouteRecord> wanted = new ArrayList<>();
    Digest contractDigest = ruling.contractDigest();
    if (contractDigest != null) {
      for (String provider : providers.wanted(facts, now)) {
        wanted.add(
            RouteRecord.wanted(
                new RouteKey(
                    facts.requireSpec().heldId(), facts.requireGeneration().number(), provider),
                facts.requireSpec().proposer().org(),
                facts.requireGeneration().tool(),
                contractDigest,
                now));
      }
    }
    table.align(
        connection, facts.requireSpec().heldId(), wanted, standing(facts), now.toEpochMilli());
  }

  private static boolean overtaken(Connection connection, ReadSideTables.Seen call)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT seq_nr FROM call_index WHERE held_id = ?")) {
      select.setString(1, call.heldId());
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getLong(1) > call.sequence();
      }
    }
  }

  private static String standing(HeldCallFacts facts) {
    if (facts.lifecycle() != Lifecycle.OPEN) {
      return "the call is " + facts.lifecycle().wireName();
    }
    return facts.undecided() ? "no longer asked for" : "the call was released";
  }
}
