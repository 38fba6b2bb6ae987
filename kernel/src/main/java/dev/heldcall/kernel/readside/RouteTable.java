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
import java.time.Duration;
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

  /** Nobody outside has to be told: no request went out, or only a call of the provider's own. */
  private static final String NOTHING_OUT = "reference IS NULL OR state = 'nested'";

  /** The longest pause between two wakes of a route at which nothing is done. */
  private static final Duration LONGEST_PAUSE = Duration.ofHours(6);

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
        "INSERT INTO witness_route ("
            + COLUMNS
            + ", wake_at) VALUES"
            + " (?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, 0, NULL, ?, 0, ?)",
        route.key().heldId(),
        route.key().generation(),
        route.key().provider(),
        route.org(),
        route.tool(),
        route.contractDigest().value(),
        route.state().wireName(),
        route.round(),
        route.updatedAt().toEpochMilli(),
        route.updatedAt().toEpochMilli(),
        route.updatedAt().toEpochMilli());
  }

  private static Optional<RouteRecord> find(Connection connection, RouteKey key)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT "
                + COLUMNS
                + " FROM witness_route"
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
                "SELECT "
                    + COLUMNS
                    + " FROM witness_route WHERE held_id = ?"
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
                      + " attempts = ?, reference = ?, asked_at = ?, next_at = ?, wake_at = ?,"
                      + " reminded = ?, note = ?, updated_at = ?, version = version + 1"
                      + " WHERE held_id = ? AND generation = ? AND provider = ? AND version = ?")) {
            update.setString(1, route.tool());
            update.setString(2, route.contractDigest().value());
            update.setString(3, route.state().wireName());
            update.setInt(4, route.round());
            update.setInt(5, route.attempts());
            update.setString(6, route.reference());
            setTime(update, 7, route.askedAt());
            setTime(update, 8, route.nextAt());
            setTime(update, 9, route.nextAt());
            update.setInt(10, route.reminded());
            update.setString(11, route.note());
            update.setLong(12, nowMillis);
            update.setString(13, route.key().heldId());
            update.setInt(14, route.key().generation());
            update.setString(15, route.key().provider());
            update.setLong(16, route.version());
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
            "UPDATE witness_route SET next_at = ?, wake_at = ?"
                + " WHERE held_id = ? AND generation = ? AND state = 'wanted' AND provider <> ?")) {
      update.setLong(1, nowMillis);
      update.setLong(2, nowMillis);
      update.setString(3, key.heldId());
      update.setInt(4, key.generation());
      update.setString(5, key.provider());
      update.executeUpdate();
    }
  }

  /**
   * Takes routes at which there is something to do, and has each come again later if nobody writes
   * it until then: after {@code pauseMillis}, and the longer the longer it has been due in vain, as
   * one is whose turn comes only when a cheaper one has come to nothing. What is to be done, and
   * from when on, stays as it is written.
   */
  public List<RouteRecord> takeDue(long nowMillis, long pauseMillis, int limit)
      throws SQLException {
    return store.inTransaction(
        connection -> {
          List<RouteRecord> due;
          try (PreparedStatement select =
              connection.prepareStatement(
                  "SELECT "
                      + COLUMNS
                      + " FROM witness_route WHERE wake_at <= ?"
                      + " ORDER BY wake_at LIMIT ? FOR UPDATE SKIP LOCKED")) {
            select.setLong(1, nowMillis);
            select.setInt(2, limit);
            due = all(select);
          }
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE witness_route SET wake_at = ?"
                      + " WHERE held_id = ? AND generation = ? AND provider = ?")) {
            for (RouteRecord route : due) {
              update.setLong(1, nowMillis + pause(route, nowMillis, pauseMillis));
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

  private static long pause(RouteRecord route, long nowMillis, long pauseMillis) {
    Instant due = route.nextAt();
    long overdue = due == null ? 0 : nowMillis - due.toEpochMilli();
    return Math.max(pauseMillis, Math.min(overdue, LONGEST_PAUSE.toMillis()));
  }

  /**
   * Lets everybody look again who is out under a reference. It counts as a write: whoever looked
   * before this and writes after it learns that it must look again.
   *
   * @return how many that are
   */
  public int poke(String provider, String reference, long nowMillis) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE witness_route SET next_at = ?, wake_at = ?, version = version + 1"
                    + " WHERE provider = ? AND reference = ?"
                    + " AND state IN ('requested', 'unavailable')")) {
      update.setLong(1, nowMillis);
      update.setLong(2, nowMillis);
      update.setString(3, provider);
      update.setString(4, reference);
      return update.executeUpdate();
    }
  }

  /**
   * Brings a call's routes in line with whom it may ask: those of its generation come into being,
   * or begin a new round if they were taken back, and every other that is still open shall be taken
   * back. One that has come to its end, with evidence or without, stays as it is.
   *
   * @param wanted the routes that may be asked, all of one generation
   * @param why how the call stands, for those who are told
   */
  void align(
      Connection connection,
      String heldId,
      Collection<RouteRecord> wanted,
      String why,
      long nowMillis)
      throws SQLException {
    takeBack(connection, heldId, wanted, why, nowMillis);
    for (RouteRecord route : wanted) {
      insert(connection, route);
      wantAgain(connection, route, nowMillis);
    }
  }

  private static void takeBack(
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
    String later = "CASE WHEN " + NOTHING_OUT + " THEN NULL ELSE ? END";
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE witness_route SET state = CASE WHEN "
                + NOTHING_OUT
                + " THEN 'withdrawn' ELSE 'unwanted' END, next_at = "
                + later
                + ", wake_at = "
                + later
                + ", attempts = 0, note = ?, updated_at = ?, version = version + 1"
                + " WHERE held_id = ? AND state IN"
                + " ('wanted', 'asking', 'requested', 'nested', 'unavailable')"
                + others)) {
      update.setLong(1, nowMillis);
      update.setLong(2, nowMillis);
      update.setString(3, why);
      update.setLong(4, nowMillis);
      update.setString(5, heldId);
      if (!providers.isEmpty()) {
        update.setInt(6, generation);
        for (int i = 0; i < providers.size(); i++) {
          update.setString(7 + i, providers.get(i));
        }
      }
      update.executeUpdate();
    }
  }

  /** One that was taken back and is wanted after all is asked anew, under another request id. */
  private static void wantAgain(Connection connection, RouteRecord route, long nowMillis)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE witness_route SET state = 'wanted', round = round + 1, tool = ?,"
                + " contract_digest = ?, attempts = 0, reference = NULL, asked_at = NULL,"
                + " next_at = ?, wake_at = ?, reminded = 0, note = NULL, updated_at = ?,"
                + " version = version + 1"
                + " WHERE held_id = ? AND generation = ? AND provider = ?"
                + " AND state = 'withdrawn'")) {
      update.setString(1, route.tool());
      update.setString(2, route.contractDigest().value());
      update.setLong(3, nowMillis);
      update.setLong(4, nowMillis);
      update.setLong(5, nowMillis);
      update.setString(6, route.key().heldId());
      update.setInt(7, route.key().generation());
      update.setString(8, route.key().provider());
      update.executeUpdate();
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
