package dev.heldcall.witness.database;

import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.WitnessAnswer;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * What a failed query means. The database's own words are not passed on: they can repeat values of
 * arguments and rows.
 */
final class SqlFailure {

  private SqlFailure() {}

  /**
   * As an answer.
   *
   * @param exhausted whether every connection was in use
   */
  static WitnessAnswer answer(SQLException e, boolean exhausted, DatabaseSettings settings) {
    if (e instanceof SQLTransientConnectionException && exhausted) {
      return new WitnessAnswer.Unavailable(
          "no connection to the database was free within " + DurationText.of(settings.poolWait()),
          true);
    }
    String state = state(e);
    if (e instanceof SQLTimeoutException || state.equals("57014")) {
      return new WitnessAnswer.Unavailable(
          "the query ran longer than " + DurationText.of(settings.statementTimeout()), true);
    }
    if (state.equals("25006")) {
      return new WitnessAnswer.Unavailable(
          "the query tried to write, which the database refused (SQLSTATE 25006)", false);
    }
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "22" ->
          new WitnessAnswer.Deferred(
              "the database does not take the call's arguments (SQLSTATE " + state + ")");
      case "42" ->
          new WitnessAnswer.Unavailable(
              "the database does not take the query (SQLSTATE " + state + ")", false);
      case "28" ->
          new WitnessAnswer.Unavailable(
              "the database does not let the witness in (SQLSTATE " + state + ")", true);
      default ->
          new WitnessAnswer.Unavailable(
              "the database cannot be reached or failed" + suffix(state), true);
    };
  }

  /** The first state of a chain of causes: pools wrap what the driver says. */
  private static String state(SQLException e) {
    @Nullable Throwable next = e;
    for (int depth = 0; next != null && depth < 8; depth++) {
      if (next instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
      next = next.getCause();
    }
    return "";
  }

  private static String suffix(String state) {
    return state.isEmpty() ? "" : " (SQLSTATE " + state + ")";
  }
}
