package dev.heldcall.witness.database;

import dev.heldcall.witness.evidence.Undecidable;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads a result within bounds: so many rows, and so many characters over all of them. */
final class RowReader {

  /** The most columns. */
  static final int MAX_COLUMNS = 64;

  private final int maxRows;
  private long charactersLeft;

  RowReader(int maxRows, long maxCharacters) {
    this.maxRows = maxRows;
    this.charactersLeft = maxCharacters;
  }

  /**
   * Reads.
   *
   * @throws Undecidable if it is over a bound other than that of rows, or names a column twice
   */
  Rows read(ResultSet result) throws SQLException, Undecidable {
    List<String> columns = columns(result.getMetaData());
    List<Map<String, Object>> rows = new ArrayList<>();
    while (result.next()) {
      if (rows.size() == maxRows) {
        return new Rows(columns, rows, true);
      }
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        row.put(columns.get(i), value(result, i + 1));
      }
      rows.add(row);
    }
    return new Rows(columns, rows, false);
  }

  private static List<String> columns(ResultSetMetaData meta) throws SQLException, Undecidable {
    if (meta.getColumnCount() > MAX_COLUMNS) {
      throw new Undecidable("the query gives more than " + MAX_COLUMNS + " columns");
    }
    List<String> columns = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      String label = meta.getColumnLabel(i).toLowerCase(Locale.ROOT);
      if (columns.contains(label)) {
        throw new Undecidable("the query gives two columns of the name " + label);
      }
      columns.add(label);
    }
    return columns;
  }

  /** Numbers and truth as such, times as ISO 8601, everything else as the database writes it. */
  private Object value(ResultSet result, int column) throws SQLException, Undecidable {
    if (TimeText.isTime(result.getMetaData(), column)) {
      String time = TimeText.read(result, column);
      return time == null ? Rows.NULL : time;
    }
    Object value = result.getObject(column);
    if (value == null) {
      return Rows.NULL;
    }
    if (value instanceof Boolean truth) {
      return truth;
    }
    if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
      return new BigDecimal(number.toString());
    }
    String text = result.getString(column);
    charactersLeft -= text.length();
    if (charactersLeft < 0) {
      throw new Undecidable("the query gives more characters than are read (max-answer)");
    }
    return text;
  }
}
