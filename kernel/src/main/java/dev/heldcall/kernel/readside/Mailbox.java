package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Columns;
import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The deliveries of a session in one order, without gaps.
 *
 * <p>A seq is taken under the lock of the session's head row, which is held until the commit that
 * makes the delivery visible. So the next seq is taken only after this one can be seen, and a
 * reader that has seen n has seen all up to n (the design, rule 18).
 */
public final class Mailbox {

  private final Store store;

  /** Reads through the store's own pool. */
  public Mailbox(Store store) {
    this.store = store;
  }

  /**
   * One delivery.
   *
   * @param seq its place in the session, from 1
   * @param deliveryId its id, the same however often it is offered
   * @param heldId the call that it is the end of
   * @param acknowledged whether the session has acknowledged it
   * @param item what is delivered, as JSON; nothing here looks inside
   */
  public record Item(
      long seq, String deliveryId, String heldId, boolean acknowledged, String item) {}

  /**
   * A delivery to append.
   *
   * @param sessionKey whose mailbox
   * @param deliveryId its id
   * @param heldId the call that it is the end of
   * @param item what is delivered, as JSON
   */
  public record Entry(String sessionKey, String deliveryId, String heldId, String item) {}

  /**
   * Appends deliveries; one that is there already keeps its place and content. Several at a time
   * cost as many statements as one.
   *
   * @param connection a transaction, to be committed soon: others of the sessions wait for it
   * @return those that were not there before, in the order of their seqs
   * @throws IllegalStateException if the connection is in auto-commit mode
   */
  public List<Appended> append(Connection connection, List<Entry> entries) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException("a seq can only be taken in a transaction");
    }
    if (entries.isEmpty()) {
      return List.of();
    }
    // Heads are locked in one order everywhere, so that nobody waits in a circle.
    Map<String, Long> last =
        lockHeads(connection, new TreeSet<>(entries.stream().map(Entry::sessionKey).toList()));
    Set<String> known = known(connection, entries.stream().map(Entry::deliveryId).toList());
    List<Appended> placed = new ArrayList<>();
    for (Entry entry : entries) {
      if (known.add(entry.deliveryId())) {
        long seq = last.merge(entry.sessionKey(), 1L, Long::sum);
        placed.add(
            new Appended(
                entry.sessionKey(),
                new Item(seq, entry.deliveryId(), entry.heldId(), false, entry.item())));
      }
    }
    if (!placed.isEmpty()) {
      insert(connection, placed);
      Set<String> changed = new TreeSet<>();
      placed.forEach(each -> changed.add(each.sessionKey()));
      last.keySet().retainAll(changed);
      updateHeads(connection, List.copyOf(last.entrySet()));
    }
    return placed;
  }

  /** A delivery and whose mailbox it is in. */
  public record Appended(String sessionKey, Item item) {
    /** The same, acknowledged since. */
    Appended acknowledged() {
      return new Appended(
          sessionKey, new Item(item.seq(), item.deliveryId(), item.heldId(), true, item.item()));
    }
  }

  private Map<String, Long> lockHeads(Connection connection, SortedSet<String> keys)
      throws SQLException {
    Map<String, Long> last = lockExistingHeads(connection, keys);
    if (last.size() == keys.size()) {
      return last;
    }
    for (String key : keys) {
      if (!last.containsKey(key)) {
        InsertOnce.run(
            connection,
            store.dialect(),
            "INSERT INTO mailbox_head (session_key, last_seq) VALUES (?, 0)",
            key);
      }
    }
    Map<String, Long> all = lockExistingHeads(connection, keys);
    if (all.size() < keys.size()) {
      throw new SQLException("the head of a mailbox vanished, one of " + keys);
    }
    return all;
  }

  private Map<String, Long> lockExistingHeads(Connection connection, SortedSet<String> keys)
      throws SQLException {
    Map<String, Long> last = new HashMap<>();
    String sql =
        "SELECT session_key, last_seq FROM mailbox_head WHERE "
            + isOneOf("session_key", keys.size())
            + " ORDER BY session_key FOR UPDATE";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      bind(select, keys);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          last.put(rows.getString(1), rows.getLong(2));
        }
      }
    }
    return last;
  }

  private Set<String> known(Connection connection, List<String> deliveryIds) throws SQLException {
    Set<String> known = new HashSet<>();
    String sql =
        "SELECT delivery_id FROM mailbox WHERE " + isOneOf("delivery_id", deliveryIds.size());
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      bind(select, deliveryIds);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          known.add(rows.getString(1));
        }
      }
    }
    return known;
  }

  private void insert(Connection connection, List<Appended> placed) throws SQLException {
    String columns =
        "INSERT INTO mailbox (session_key, seq, delivery_id, held_id, acknowledged, item)";
    switch (store.dialect()) {
      case POSTGRESQL -> {
        String sql =
            columns
                + " SELECT s, n, d, h, FALSE, i FROM"
                + " unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[])"
                + " AS row (s, n, d, h, i)";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
          new Columns<>(insert, placed)
              .text(each -> each.sessionKey())
              .bigint(each -> each.item().seq())
              .text(each -> each.item().deliveryId())
              .text(each -> each.item().heldId())
              .text(each -> each.item().item());
          insert.executeUpdate();
        }
      }
      case H2 -> {
        try (PreparedStatement insert =
            connection.prepareStatement(columns + " VALUES (?, ?, ?, ?, FALSE, ?)")) {
          for (Appended each : placed) {
            insert.setString(1, each.sessionKey());
            insert.setLong(2, each.item().seq());
            insert.setString(3, each.item().deliveryId());
            insert.setString(4, each.item().heldId());
            insert.setString(5, each.item().item());
            insert.executeUpdate();
          }
        }
      }
    }
  }

  private void updateHeads(Connection connection, List<Map.Entry<String, Long>> heads)
      throws SQLException {
    switch (store.dialect()) {
      case POSTGRESQL -> {
        try (PreparedStatement update =
            connection.prepareStatement(
                "UPDATE mailbox_head SET last_seq = row.n"
                    + " FROM unnest(?::text[], ?::bigint[]) AS row (s, n)"
                    + " WHERE session_key = row.s")) {
          new Columns<>(update, heads).text(Map.Entry::getKey).bigint(Map.Entry::getValue);
          update.executeUpdate();
        }
      }
      case H2 -> {
        try (PreparedStatement update =
            connection.prepareStatement(
                "UPDATE mailbox_head SET last_seq = ? WHERE session_key = ?")) {
          for (Map.Entry<String, Long> head : heads) {
            update.setLong(1, head.getValue());
            update.setString(2, head.getKey());
            update.executeUpdate();
          }
        }
      }
    }
  }

  /**
   * Notes that sessions have acknowledged deliveries.
   *
   * @return which of them are in no mailbox
   */
  public Set<String> acknowledge(Connection connection, Collection<String> deliveryIds)
      throws SQLException {
    Set<String> unknown = new HashSet<>(deliveryIds);
    if (deliveryIds.isEmpty()) {
      return unknown;
    }
    String sql =
        "UPDATE mailbox SET acknowledged = TRUE WHERE NOT acknowledged AND "
            + isOneOf("delivery_id", deliveryIds.size());
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      bind(update, deliveryIds);
      if (update.executeUpdate() == deliveryIds.size()) {
        return Set.of();
      }
    }
    unknown.removeAll(known(connection, List.copyOf(deliveryIds)));
    return unknown;
  }

  private String isOneOf(String column, int count) {
    return switch (store.dialect()) {
      case POSTGRESQL -> column + " = ANY (?)";
      case H2 -> column + " IN (" + "?, ".repeat(count - 1) + "?)";
    };
  }

  private void bind(PreparedStatement statement, Collection<String> values) throws SQLException {
    switch (store.dialect()) {
      case POSTGRESQL ->
          statement.setArray(
              1, statement.getConnection().createArrayOf("text", values.toArray(String[]::new)));
      case H2 -> {
        int next = 1;
        for (String value : values) {
          statement.setString(next++, value);
        }
      }
    }
  }

  /** A session's deliveries with a seq greater than {@code after}, in order. */
  public List<Item> list(String sessionKey, long after, int limit) throws SQLException {
    return list(List.of(new Listing(sessionKey, after, limit))).getFirst();
  }

  /** What is asked for: a session's deliveries after a seq, at most so many. */
  public record Listing(String sessionKey, long after, int limit) {}

  /** The deliveries of several sessions, with one statement where the database can. */
  public List<List<Item>> list(List<Listing> listings) throws SQLException {
    List<List<Item>> all = new ArrayList<>();
    try (Connection connection = store.connection()) {
      switch (store.dialect()) {
        case POSTGRESQL -> {
          listings.forEach(each -> all.add(new ArrayList<>()));
          listTogether(connection, listings, all);
        }
        case H2 -> {
          for (Listing each : listings) {
            all.add(listOne(connection, each));
          }
        }
      }
    }
    return all;
  }

  private static void listTogether(
      Connection connection, List<Listing> listings, List<List<Item>> all) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT seq, delivery_id, held_id, acknowledged, item, n FROM"
                + " unnest(?::text[], ?::bigint[], ?::int[]) WITH ORDINALITY AS asked (k, a, l, n)"
                + " CROSS JOIN LATERAL (SELECT seq, delivery_id, held_id, acknowledged, item"
                + " FROM mailbox WHERE session_key = k AND seq > a ORDER BY seq LIMIT l) found"
                + " ORDER BY n, seq")) {
      new Columns<>(select, listings)
          .text(Listing::sessionKey)
          .bigint(Listing::after)
          .integer(Listing::limit);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          all.get(rows.getInt(6) - 1).add(item(rows));
        }
      }
    }
  }

  private static List<Item> listOne(Connection connection, Listing listing) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT seq, delivery_id, held_id, acknowledged, item FROM mailbox"
                + " WHERE session_key = ? AND seq > ? ORDER BY seq LIMIT ?")) {
      select.setString(1, listing.sessionKey());
      select.setLong(2, listing.after());
      select.setInt(3, listing.limit());
      List<Item> items = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          items.add(item(rows));
        }
      }
      return items;
    }
  }

  /** One delivery of a session. */
  public Optional<Item> find(String sessionKey, String deliveryId) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT seq, delivery_id, held_id, acknowledged, item FROM mailbox"
                    + " WHERE session_key = ? AND delivery_id = ?")) {
      select.setString(1, sessionKey);
      select.setString(2, deliveryId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(item(rows)) : Optional.empty();
      }
    }
  }

  private static Item item(ResultSet rows) throws SQLException {
    return new Item(
        rows.getLong(1),
        rows.getString(2),
        rows.getString(3),
        rows.getBoolean(4),
        rows.getString(5));
  }
}
