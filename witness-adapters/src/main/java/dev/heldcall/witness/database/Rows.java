package dev.heldcall.witness.database;

import java.util.List;
import java.util.Map;

/**
 * What a query gave.
 *
 * @param columns their labels in lower case
 * @param rows a row's values by label: a String, BigDecimal, Boolean, or {@link Rows#NULL}
 * @param more whether there were more rows than are read
 */
record Rows(List<String> columns, List<Map<String, Object>> rows, boolean more) {

  /** SQL's NULL. */
  static final Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "NULL";
        }
      };

  Rows {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }
}
