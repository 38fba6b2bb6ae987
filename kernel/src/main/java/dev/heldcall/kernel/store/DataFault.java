package dev.heldcall.kernel.store;

import java.sql.SQLException;

/** Tells data that a database refuses from a database that fails. */
public final class DataFault {

  private DataFault() {}

  /**
   * Whether the statement was refused for what it was given: a value that is too long or malformed,
   * a key that is taken, more than the database can hold in one value. Nothing of it was written,
   * and the same data would be refused again; other data would not.
   */
  public static boolean isCauseOf(SQLException failure) {
    for (SQLException each = failure; each != null; each = each.getNextException()) {
      String state = each.getSQLState();
      if (state != null
          && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"))) {
        return true;
      }
    }
    return false;
  }
}
