package dev.heldcall.kernel.readside;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.store.Columns;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.PrincipalRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The table of held calls behind every list, and behind the sweeper's wake-ups. */
public final class CallIndex {

  private static final Pattern SPACE = Pattern.compile(" ");

  private static final List<String> CHANGING =
      List.of(
          "tool",
          "state",
          "phase",
          "expires_at",
          "deadline",
          "due_at",
          "waiting_classes",
          "generation",
          "seq_nr",
          "summary",
          "ended");

  private static final List<String> FIXED =
      List.of(
          "held_id",
          "org",
          "project",
          "principal",
          "session_id",
          "turn_id",
          "call_id",
          "session_key",
          "slice",
          "created_at");

  private static final String ALL = String.join(", ", FIXED) + ", " + String.join(", ", CHANGING);

  private static final String INSERT =
      "INSERT INTO call_index ("
          + ALL
          + ") VALUES ("
          + "?, ".repeat(FIXED.size() + CHANGING.size() - 1)
          + "?)";

  private static final String INSERT_OR_UPDATE =
      "INSERT INTO call_index ("
          + ALL
          + ") SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],"
          + " ?::text[], ?::text[], ?::text[], ?::int[], ?::bigint[], ?::text[], ?::text[],"
          + " ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::int[], ?::bigint[],"
          + " ?::text[], ?::boolean[])"
          + onConflict();

  private static final String UPDATE =
      "UPDATE call_index SET "
          + String.join(" = ?, ", CHANGING)
          + " = ? WHERE held_id = ? AND seq_nr <= ?";

  private final Store store;

  /** Reads through the store's own pool. */
  public CallIndex(Store store) {
    this.store = store;
  }

  private static String onConflict() {
    List<String> sets = CHANGING.stream().map(column -> column + " = excluded." + column).toList();
    return " ON CONFLICT (held_id) DO UPDATE SET "
        + String.join(", ", sets)
        + " WHERE call_index.seq_nr <= excluded.seq_nr";
  }

  /** Writes a call's row, unless the index already shows a later sequence number of it. */
  public void upsert(Connection connection, CallRow row) throws SQLException {
    upsertAll(connection, List.of(row));
  }

  /**
   * Writes the rows of different calls, each unless the index already shows a later sequence number
   * of it.
   */
  public void upsertAll(Connection connection, List<CallRow> rows) throws SQLException {
    switch (store.dialect()) {
      case POSTGRESQL -> {
        try (PreparedStatement statement = connection.prepareStatement(INSERT_OR_UPDATE)) {
          bindAll(statement, rows);
          statement.executeUpdate();
        }
      }
      case H2 -> {
        for (CallRow row : rows) {
          if (!update(connection, row) && !insertIfAbsent(connection, row)) {
            update(connection, row);
          }
        }
      }
    }
  }

  /** Locks those of the rows that are there, one after the other, until the transaction ends. */
  void lock(Connection connection, SortedSet<String> heldIds) throws SQLException {
    String sql = "SELECT held_id FROM call_index WHERE held_id ";
    switch (store.dialect()) {
      case POSTGRESQL -> {
        try (PreparedStatement select =
            connection.prepareStatement(sql + "= ANY (?) ORDER BY held_id FOR UPDATE")) {
          select.setArray(1, connection.createArrayOf("text", heldIds.toArray(String[]::new)));
          select.executeQuery().close();
        }
      }
      case H2 -> {
        try (PreparedStatement select = connection.prepareStatement(sql + "= ? FOR UPDATE")) {
          for (String heldId : heldIds) {
            select.setString(1, heldId);
            select.executeQuery().close();
          }
        }
      }
    }
  }

  /** In the order of {@link #ALL}. */
  private static void bindAll(PreparedStatement statement, List<CallRow> rows) throws SQLException {
    new Columns<>(statement, rows)
        .text(CallRow::heldId)
        .text(row -> row.proposer().org())
        .text(row -> row.proposer().project())
        .text(row -> row.proposer().id())
        .text(CallRow::sessionId)
        .text(CallRow::turnId)
        .text(CallRow::callId)
        .text(CallRow::sessionKey)
        .integer(row -> Slices.of(row.heldId()))
        .bigint(CallRow::createdAtMillis)
        .text(CallRow::tool)
        .text(row -> row.state().wire())
        .text(CallRow::phase)
        .bigint(CallRow::expiresAtMillis)
        .bigint(CallRow::deadline)
        .bigint(CallRow::dueAtMillis)
        .text(CallRow::classesText)
        .integer(CallRow::generation)
        .bigint(CallRow::seqNr)
        .text(CallRow::summary)
        .bool(CallRow::ended);
  }

  private static boolean update(Connection connection, CallRow row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
      int next = bindChanging(statement, 1, row);
      statement.setString(next, row.heldId());
      statement.setLong(next + 1, row.seqNr());
      return statement.executeUpdate() > 0;
    }
  }

  private static boolean insertIfAbsent(Connection connection, CallRow row) throws SQLException {
    try {
      insert(connection, INSERT, row);
      return true;
    } catch (SQLException e) {
      if (InsertOnce.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  private static void insert(Connection connection, String sql, CallRow row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, row.heldId());
      statement.setString(2, row.proposer().org());
      statement.setString(3, row.proposer().project());
      statement.setString(4, row.proposer().id());
      statement.setString(5, row.sessionId());
      statement.setString(6, row.turnId());
      statement.setString(7, row.callId());
      statement.setString(8, row.sessionKey());
      statement.setInt(9, Slices.of(row.heldId()));
      statement.setLong(10, row.createdAtMillis());
      bindChanging(statement, 11, row);
      statement.executeUpdate();
    }
  }

  private static int bindChanging(PreparedStatement statement, int from, CallRow row)
      throws SQLException {
    int at = from;
    statement.setString(at++, row.tool());
    statement.setString(at++, row.state().wire());
    statement.setString(at++, row.phase());
    setMillis(statement, at++, row.expiresAtMillis());
    statement.setLong(at++, row.deadline());
    setMillis(statement, at++, row.dueAtMillis());
    statement.setString(at++, row.classesText());
    statement.setInt(at++, row.generation());
    statement.setLong(at++, row.seqNr());
    statement.setString(at++, row.summary());
    statement.setBoolean(at++, row.ended());
    return at;
  }

  private static void setMillis(PreparedStatement statement, int at, @Nullable Long millis)
      throws SQLException {
    if (millis == null) {
      statement.setNull(at, Types.BIGINT);
    } else {
      statement.setLong(at, millis);
    }
  }

  /**
   * A page of what the audience may see: oldest deadline first, calls without one last.
   *
   * @throws IllegalArgumentException if the query's cursor is none of ours
   */
  public CallPage list(CallQuery query) throws SQLException {
    CallListSql sql = CallListSql.of(query);
    List<CallRow> rows = read(sql.text(), sql.arguments());
    if (rows.size() <= query.limit()) {
      return new CallPage(rows, null);
    }
    List<CallRow> page = rows.subList(0, query.limit());
    CallRow last = page.getLast();
    return new CallPage(page, new PageCursor(last.deadline(), last.heldId()).text());
  }

  /** The first calls of a session, oldest first. */
  public List<CallRow> bySession(String sessionKey, int limit) throws SQLException {
    return read(
        "SELECT * FROM call_index WHERE session_key = ? ORDER BY created_at, held_id LIMIT ?",
        List.of(sessionKey, (long) limit));
  }

  /** One call's row. */
  public Optional<CallRow> find(String heldId) throws SQLException {
    return read("SELECT * FROM call_index WHERE held_id = ?", List.of(heldId)).stream().findFirst();
  }

  /**
   * Calls that want a tick by now, the longest due first.
   *
   * @param nowMillis the time that counts as now
   * @param limit the most to answer
   */
  public List<DueCall> due(long nowMillis, int limit) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT held_id, due_at FROM call_index WHERE due_at <= ?"
                    + " ORDER BY due_at, held_id LIMIT ?")) {
      statement.setLong(1, nowMillis);
      statement.setInt(2, limit);
      List<DueCall> due = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          due.add(new DueCall(rows.getString(1), rows.getLong(2)));
        }
      }
      return due;
    }
  }

  /**
   * A call that wants a tick.
   *
   * @param heldId its id
   * @param dueAtMillis since when
   */
  public record DueCall(String heldId, long dueAtMillis) {}

  /** How many calls of a session have not ended. */
  public int countOpenInSession(String sessionKey) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM call_index WHERE session_key = ? AND NOT ended")) {
      statement.setString(1, sessionKey);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  /** How many calls of a principal have not ended. */
  public int countOpen(PrincipalRef principal) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM call_index"
                    + " WHERE org = ? AND project = ? AND principal = ? AND NOT ended")) {
      statement.setString(1, principal.org());
      statement.setString(2, principal.project());
      statement.setString(3, principal.id());
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private List<CallRow> read(String sql, List<Object> arguments) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.size(); i++) {
        statement.setObject(i + 1, arguments.get(i));
      }
      List<CallRow> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(row(rows));
        }
      }
      return found;
    }
  }

  private static CallRow row(ResultSet rows) throws SQLException {
    return new CallRow(
        rows.getString("held_id"),
        new PrincipalRef(
            rows.getString("org"), rows.getString("project"), rows.getString("principal")),
        rows.getString("session_id"),
        rows.getString("turn_id"),
        rows.getString("call_id"),
        rows.getString("session_key"),
        rows.getString("tool"),
        CallState.of(rows.getString("state")),
        rows.getString("phase"),
        rows.getObject("expires_at", Long.class),
        rows.getLong("created_at"),
        rows.getObject("due_at", Long.class),
        classes(rows.getString("waiting_classes")),
        rows.getInt("generation"),
        rows.getLong("seq_nr"),
        rows.getString("summary"),
        rows.getBoolean("ended"));
  }

  private static Set<String> classes(String text) {
    return SPACE.splitAsStream(text).filter(name -> !name.isEmpty()).collect(toUnmodifiableSet());
  }
}
