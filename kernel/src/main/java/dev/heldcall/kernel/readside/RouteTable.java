package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.route.RouteKey;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.Digest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the asking of witnesses stands, a row for each provider that is asked about a generation of a
 * call. It is what keeps a witness from being asked twice over a crash, and it authorizes nothing.
 */
public final class RouteTable {

  private static final String COLUMNS =
      "held_id, generation, provider, org, tool, contract_digest, state, round, attempts, reference,"
          + " asked_at, next_at, reminded, note, updated_at, version";

  private final Store store;

  /** Reads and writes through the store's own pool. */
  public RouteTable(Store store) {
    this.store = store;
  }

  /** The route as it is, made if there is none. */
  public RouteRecord open(RouteRecord ifAbsent) throws SQLException {
    return store.inTransaction(
        connection -> {
          insert(connection, ifAbsent);
          return find(connection, ifAbsent.key()).orElseThrow();
        });
  }

  /** Makes a route; a known one stays as it is. */
  void insert(Connection connection, RouteRecord route) throws SQLException {
    InsertOnce.run(
        connection,
        store.dialect(),
        "INSERT INTO witness_route (" + COLUMNS + ") VALUES"
            + " (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, 0, NULL, ?, 0)",
        route.key().heldId(),
        route.key().generation(),
        route.key().provider(),
        route.org(),
        route.tool(),
        route.contractDigest().value(),
        route.state().wireName(),
        route.round(),
        route.updatedAt().toEpochMilli(),
        route.updatedAt().toEpochMilli());
  }

  private static Optional<RouteRecord> find(Connection connection, RouteKey key)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT " + COLUMNS + " FROM witness_route"
                + " WHERE held_id = ? AND generation = ? AND provider = ?")) {
      select.setString(1, key.heldId());
      select.setInt(2, key.generation());
      select.setString(3, key.provider());
      return all(select).stream().findFirst();
    }
  }

  /** The routes of a call, newest generation first. */
  public List<RouteRecord> of(String heldId) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT " + COLUMNS + " FROM witness_route WHERE held_id = ?"
                    + " ORDER BY generation DESC, provider LIMIT 200")) {
      select.setString(1, heldId);
      return all(select);
    }
  }

  /**
   * Writes a route over the version that it has, at {@code nowMillis}.
   *
   * @return the route with its new version, or empty if somebody else wrote it since
   */
  public Optional<RouteRecord> save(RouteRecord route, long nowMillis) throws SQLException {
    return store.inTransaction(
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE witness_route SET tool = ?, contract_digest = ?, state = ?, round = ?,"
                      + " attempts = ?, reference = ?, asked_at = ?, next_at = ?, reminded = ?,"
                      + " note = ?, updated_at = ?, version = version + 1"
                      + " WHERE held_id = ? AND generation = ? AND provider = ? AND version = ?")) {
            update.setString(1, route.tool());
            update.setString(2, route.contractDigest().value());
            update.setString(3, route.state().wireName());
            update.setInt(4, route.round());
            update.setInt(5, route.attempts());
            update.setString(6, route.reference());
            setTime(update, 7, route.askedAt());
            setTime(update, 8, route.nextAt());
            update.setInt(9, route.reminded());
            update.setString(10, route.note());
            update.setLong(11, nowMillis);
            update.setString(12, route.key().heldId());
            update.setInt(13, route.key().generation());
            update.setString(14, route.key().provider());
            update.setLong(15, route.version());
            if (update.executeUpdate() == 0) {
              return Optional.<RouteRecord>empty();
            }
          }
          if (route.state() != RouteState.REQUESTED && route.state() != RouteState.ASKING) {
            wakeWanted(connection, route.key(), nowMillis);
          }
          return find(connection, route.key());
        });
  }

  /** Who waits for a cheaper one to come to nothing is looked at again. */
  private static void wakeWanted(Connection connection, RouteKey key, long nowMillis)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE witness_route SET next_at = ? WHERE held_id = ? AND generation = ?"
                + " AND state = 'wanted' AND provider <> ?")) {
      update.setLong(1, nowMillis);
      update.setString(2, key.heldId());
      update.setInt(3, key.generation());
      update.setString(4, key.provider());
      update.executeUpdate();
    }
  }

  /**
   * Takes routes at which there is something to do, and puts each off so that nobody else takes it
   * meanwhile.
   */
  public List<RouteRecord> takeDue(long nowMillis, long againMillis, int limit)
      throws SQLException {
    return store.inTransaction(
        connection -> {
          List<RouteRecord> due;
          try (PreparedStatement select =
              connection.prepareStatement(
                  "SELECT " + COLUMNS + " FROM witness_route WHERE next_at <= ?"
                      + " ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED")) {
            select.setLong(1, nowMillis);
            select.setInt(2, limit);
            due = all(select);
          }
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE witness_route SET next_at = ?"
                      + " WHERE held_id = ? AND generation = ? AND provider = ?")) {
            for (RouteRecord route : due) {
              update.setLong(1, againMillis);
              update.setString(2, route.key().heldId());
              update.setInt(3, route.key().generation());
              update.setString(4, route.key().provider());
              update.addBatch();
            }
            update.executeBatch();
          }
          return due;
        });
  }

  /** Lets everybody look again who is out under a reference. */
  public int poke(String provider, String reference, long nowMillis) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE witness_route SET next_at = ? WHERE provider = ? AND reference = ?"
                    + " AND state IN ('requested', 'unavailable')")) {
      update.setLong(1, nowMillis);
      update.setString(2, provider);
      update.setString(3, reference);
      return update.executeUpdate();
    }
  }

  /**
   * Brings a call's routes in line with whom it may ask: those of its generation come into being,
   * and every other that is not taken back yet shall be.
   *
   * @param wanted the routes that may be asked
   * @param why how the call stands, for those who are told
   */
  void align(
      Connection connection,
      String heldId,
      Collection<RouteRecord> wanted,
      String why,
      long nowMillis)
      throws SQLException {
    List<String> providers = wanted.stream().map(each -> each.key().provider()).toList();
    int generation = wanted.stream().mapToInt(each -> each.key().generation()).findAny().orElse(0);
    String others =
        providers.isEmpty()
            ? ""
            : " AND NOT (generation = ? AND provider IN ("
                + "?, ".repeat(providers.size() - 1)
                + "?))";
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE witness_route SET state = CASE WHEN reference IS NULL OR state = 'nested'"
                + " THEN 'withdrawn' ELSE 'unwanted' END, next_at = CASE WHEN reference IS NULL OR"
                + " state = 'nested' THEN NULL ELSE ? END, attempts = 0, note = ?,"
                + " updated_at = ?, version = version + 1"
                + " WHERE held_id = ? AND state NOT IN ('unwanted', 'withdrawn')"
                + others)) {
      update.setLong(1, nowMillis);
      update.setString(2, why);
      update.setLong(3, nowMillis);
      update.setString(4, heldId);
      if (!providers.isEmpty()) {
        update.setInt(5, generation);
        for (int i = 0; i < providers.size(); i++) {
          update.setString(6 + i, providers.get(i));
        }
      }
      update.executeUpdate();
    }
    for (RouteRecord route : wanted) {
      insert(connection, route);
    }
  }

  private static List<RouteRecord> all(PreparedStatement select) throws SQLException {
    List<RouteRecord> found = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        found.add(
            new RouteRecord(
                new RouteKey(rows.getString(1), rows.getInt(2), rows.getString(3)),
                rows.getString(4),
                rows.getString(5),
                new Digest(rows.getString(6)),
                RouteState.of(rows.getString(7)),
                rows.getInt(8),
                rows.getInt(9),
                rows.getString(10),
                time(rows, 11),
                time(rows, 12),
                rows.getInt(13),
                rows.getString(14),
                Instant.ofEpochMilli(rows.getLong(15)),
                rows.getLong(16)));
      }
    }
    return found;
  }

  private static @Nullable Instant time(ResultSet rows, int column) throws SQLException {
    long millis = rows.getLong(column);
    return rows.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  private static void setTime(PreparedStatement statement, int column, @Nullable Instant time)
      throws SQLException {
    if (time == null) {
      statement.setNull(column, Types.BIGINT);
    } else {
      statement.setLong(column, time.toEpochMilli());
    }
  }
}
