package dev.heldcall.kernel.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds many rows to one PostgreSQL statement, an array a column ({@code … FROM unnest(?::text[],
 * ?::bigint[])}): the statement is planned once and costs one round trip, however many rows.
 *
 * @param <R> a row
 */
public final class Columns<R> {

  private final PreparedStatement statement;
  private final List<R> rows;
  private int next = 1;

  /** Binds {@code rows} from the first parameter on. */
  public Columns(PreparedStatement statement, List<R> rows) {
    this.statement = statement;
    this.rows = rows;
  }

  /** The next column, of text. */
  public Columns<R> text(Function<R, @Nullable String> value) throws SQLException {
    return bind("text", new @Nullable String[rows.size()], value);
  }

  /** The next column, of bigint. */
  public Columns<R> bigint(Function<R, @Nullable Long> value) throws SQLException {
    return bind("int8", new @Nullable Long[rows.size()], value);
  }

  /** The next column, of int. */
  public Columns<R> integer(Function<R, @Nullable Integer> value) throws SQLException {
    return bind("int4", new @Nullable Integer[rows.size()], value);
  }

  /** The next column, of boolean. */
  public Columns<R> bool(Function<R, @Nullable Boolean> value) throws SQLException {
    return bind("bool", new @Nullable Boolean[rows.size()], value);
  }

  /** The next column, of bytea. */
  public Columns<R> bytes(Function<R, byte @Nullable []> value) throws SQLException {
    return bind("bytea", new byte[rows.size()][], value);
  }

  private <T> Columns<R> bind(String type, @Nullable T[] values, Function<R, @Nullable T> value)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(rows.get(i));
    }
    statement.setArray(next++, statement.getConnection().createArrayOf(type, values));
    return this;
  }
}
