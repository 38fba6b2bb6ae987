package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * An insert that does nothing where the key is taken, and leaves the transaction usable on both
 * databases: PostgreSQL would abort it at the violation, so it is told not to violate; H2 undoes
 * only the statement.
 */
final class InsertOnce {

  private InsertOnce() {}

  /**
   * Inserts a row unless its key is taken.
   *
   * @param insert an INSERT without a conflict clause; its arguments follow
   * @return whether a row was inserted
   */
  static boolean run(Connection connection, Dialect dialect, String insert, Object... arguments)
      throws SQLException {
    String sql =
        switch (dialect) {
          case POSTGRESQL -> insert + " ON CONFLICT DO NOTHING";
          case H2 -> insert;
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      return statement.executeUpdate() > 0;
    } catch (SQLException e) {
      if (isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Whether a unique key was violated. */
  static boolean isDuplicate(SQLException e) {
    return "23505".equals(e.getSQLState());
  }
}
