package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The key pairs that permits are signed with; all nodes of a cluster share them. */
public final class IssuerKeys {

  private final Store store;

  /** Reads and writes through the store's own pool. */
  public IssuerKeys(Store store) {
    this.store = store;
  }

  /**
   * One key pair.
   *
   * @param id its {@code kid}
   * @param jwk the pair as a JSON Web Key, the private part included; nothing here looks inside
   * @param createdAtMillis when it was made
   */
  public record IssuerKey(String id, String jwk, long createdAtMillis) {

    /** Never the key itself. */
    @Override
    public String toString() {
      return "IssuerKey[" + id + "]";
    }
  }

  /**
   * The key to sign with: the newest there is, or one that is made now. Nodes that start together
   * get the same.
   *
   * @param make makes a key pair; called only if there is none
   */
  public IssuerKey loadOrCreate(Supplier<IssuerKey> make) throws SQLException {
    return store.inTransaction(
        connection -> {
          lock(connection);
          List<IssuerKey> keys = read(connection);
          if (!keys.isEmpty()) {
            return keys.getFirst();
          }
          IssuerKey made = make.get();
          insert(connection, made);
          return made;
        });
  }

  /** Every key, the newest first: old ones still verify old permits. */
  public List<IssuerKey> all() throws SQLException {
    try (Connection connection = store.connection()) {
      return read(connection);
    }
  }

  /** The rows of the schema's versions are always there, so they serve as the lock. */
  private static void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT version FROM heldcall_schema WHERE version = 1 FOR UPDATE")) {
      if (!rows.next()) {
        throw new SQLException("heldcall_schema has no version 1");
      }
    }
  }

  private static List<IssuerKey> read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT id, jwk, created_at FROM issuer_key ORDER BY created_at DESC, id")) {
      List<IssuerKey> keys = new ArrayList<>();
      while (rows.next()) {
        keys.add(new IssuerKey(rows.getString(1), rows.getString(2), rows.getLong(3)));
      }
      return keys;
    }
  }

  private static void insert(Connection connection, IssuerKey key) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO issuer_key (id, jwk, created_at) VALUES (?, ?, ?)")) {
      insert.setString(1, key.id());
      insert.setString(2, key.jwk());
      insert.setLong(3, key.createdAtMillis());
      insert.executeUpdate();
    }
  }
}
