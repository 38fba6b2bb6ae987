package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Which call waits for which. */
public final class Edges {

  private final Store store;

  /** Reads through the store's own pool. */
  public Edges(Store store) {
    this.store = store;
  }

  /** Why one call waits for another. */
  public enum Kind {
    /** It was proposed with {@code depends_on}. */
    DEPENDS_ON,
    /** It is the parent of a nested call, and waits for its children. */
    PARENT
  }

  /**
   * One edge.
   *
   * @param dependent the call that waits
   * @param dependency the call that it waits for
   * @param kind why
   */
  public record Edge(String dependent, String dependency, Kind kind) {}

  /** Adds an edge; a known one changes nothing. */
  public void add(Connection connection, Edge edge) throws SQLException {
    InsertOnce.run(
        connection,
        store.dialect(),
        "INSERT INTO call_edge (dependent, dependency, kind) VALUES (?, ?, ?)",
        edge.dependent(),
        edge.dependency(),
        edge.kind().name());
  }

  /** The calls that wait for any of these. */
  List<String> dependentsOf(Connection connection, List<String> dependencies) throws SQLException {
    String sql =
        switch (store.dialect()) {
          case POSTGRESQL -> "= ANY (?)";
          case H2 -> "IN (" + "?, ".repeat(dependencies.size() - 1) + "?)";
        };
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT DISTINCT dependent FROM call_edge WHERE dependency "
                + sql
                + " ORDER BY dependent")) {
      switch (store.dialect()) {
        case POSTGRESQL ->
            select.setArray(
                1, connection.createArrayOf("text", dependencies.toArray(String[]::new)));
        case H2 -> {
          for (int i = 0; i < dependencies.size(); i++) {
            select.setString(i + 1, dependencies.get(i));
          }
        }
      }
      List<String> dependents = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          dependents.add(rows.getString(1));
        }
      }
      return dependents;
    }
  }

  /** The edges to the calls that wait for this one, at most {@code limit}. */
  public List<Edge> dependentsOf(String dependency, int limit) throws SQLException {
    return read("dependency", dependency, limit);
  }

  /** The edges to the calls that this one waits for, at most {@code limit}. */
  public List<Edge> dependenciesOf(String dependent, int limit) throws SQLException {
    return read("dependent", dependent, limit);
  }

  private List<Edge> read(String column, String heldId, int limit) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT dependent, dependency, kind FROM call_edge WHERE "
                    + column
                    + " = ? ORDER BY dependent, dependency, kind LIMIT ?")) {
      statement.setString(1, heldId);
      statement.setInt(2, limit);
      List<Edge> edges = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          edges.add(
              new Edge(rows.getString(1), rows.getString(2), Kind.valueOf(rows.getString(3))));
        }
      }
      return edges;
    }
  }
}
