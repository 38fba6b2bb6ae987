package dev.heldcall.kernel.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** Whose fault a failure is: the data's, which the database refuses, or the database's own. */
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

  /**
   * Whether the database could not be reached, or not any more: other data would fare no better.
   */
  public static boolean isLostConnection(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLTransientConnectionException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }
}
