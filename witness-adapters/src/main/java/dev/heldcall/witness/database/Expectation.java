package dev.heldcall.witness.database;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.Undecidable;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the rows must be. There is no expectation that no rows at all can meet, unless it says that
 * there are to be none.
 *
 * @param columns what each row must have in a column, by its label in lower case
 * @param rows how many rows there must be, or null for one or more
 */
record Expectation(Map<String, Expected> columns, @Nullable Integer rows) {

  Expectation {
    columns = Map.copyOf(columns);
    if (columns.isEmpty() && rows == null) {
      throw new IllegalArgumentException("nothing is expected");
    }
  }

  /** A value to expect. */
  sealed interface Expected {

    /** The same for every call: text, a number, true, false or null. */
    record Value(JsonNode value) implements Expected {}

    /** What the call has at a place. */
    record Argument(JsonPointer pointer) implements Expected {}
  }

  /**
   * The values for a call.
   *
   * @throws Undecidable if the call does not have or show one
   */
  Map<String, JsonNode> in(DisclosedArgs args) throws Undecidable {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    for (Map.Entry<String, Expected> column : columns.entrySet()) {
      JsonNode value =
          switch (column.getValue()) {
            case Expected.Value fixed -> fixed.value();
            case Expected.Argument argument -> args.at(argument.pointer());
          };
      if (value.isContainerNode()) {
        throw new Undecidable("the argument to compare with " + column.getKey() + " is not single");
      }
      values.put(column.getKey(), value);
    }
    return values;
  }

  /**
   * What is not as expected, for a person; names columns and counts, and no values.
   *
   * @throws Undecidable if the query gives no such column
   */
  Optional<String> mismatch(Rows found, Map<String, JsonNode> values) throws Undecidable {
    for (String column : values.keySet()) {
      if (!found.columns().contains(column)) {
        throw new Undecidable("the query gives no column " + column);
      }
    }
    if (rows != null && found.rows().size() != rows) {
      return Optional.of(
          "the query gives " + count(found.rows().size()) + " where " + rows + " are expected");
    }
    if (rows == null && found.rows().isEmpty()) {
      return Optional.of("the query gives no row");
    }
    for (Map<String, Object> row : found.rows()) {
      for (Map.Entry<String, JsonNode> value : values.entrySet()) {
        if (!equal(row.get(value.getKey()), value.getValue())) {
          return Optional.of("the column " + value.getKey() + " is not as expected");
        }
      }
    }
    return Optional.empty();
  }

  private static String count(int rows) {
    return rows == 1 ? "1 row" : rows + " rows";
  }

  /** Kinds are not mixed: the text "1" is not the number 1. Numbers compare by value. */
  private static boolean equal(@Nullable Object found, JsonNode expected) {
    if (found == Rows.NULL) {
      return expected.isNull();
    }
    return switch (found) {
      case Boolean truth -> expected.isBoolean() && truth == expected.booleanValue();
      case BigDecimal number ->
          expected.isNumber() && number.compareTo(expected.decimalValue()) == 0;
      case String text -> expected.isTextual() && text.equals(expected.textValue());
      case null, default -> false;
    };
  }
}
