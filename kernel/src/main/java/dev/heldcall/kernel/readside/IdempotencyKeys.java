package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.PrincipalRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Which call a principal's {@code Idempotency-Key} belongs to: the first that claimed it. */
public final class IdempotencyKeys {

  private final Store store;

  /** Uses the store's dialect. */
  public IdempotencyKeys(Store store) {
    this.store = store;
  }

  /**
   * Claims a key for a call. Of several that claim at once one wins, and the others wait for it.
   *
   * @return the call that owns the key: this one, or the one that claimed it before
   */
  public String claim(Connection connection, PrincipalRef principal, String key, String heldId)
      throws SQLException {
    InsertOnce.run(
        connection,
        store.dialect(),
        "INSERT INTO idempotency_key (org, project, principal, request_key, held_id)"
            + " VALUES (?, ?, ?, ?, ?)",
        principal.org(),
        principal.project(),
        principal.id(),
        key,
        heldId);
    return owner(connection, principal, key)
        .orElseThrow(() -> new SQLException("a claimed idempotency key vanished: " + key));
  }

  /** The call that owns a key. */
  public Optional<String> owner(Connection connection, PrincipalRef principal, String key)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT held_id FROM idempotency_key"
                + " WHERE org = ? AND project = ? AND principal = ? AND request_key = ?")) {
      select.setString(1, principal.org());
      select.setString(2, principal.project());
      select.setString(3, principal.id());
      select.setString(4, key);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
      }
    }
  }
}
