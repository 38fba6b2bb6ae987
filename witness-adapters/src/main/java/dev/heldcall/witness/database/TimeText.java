package dev.heldcall.witness.database;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times as ISO 8601 text, instants in UTC: the same on every node, whatever its time zone
 * and however the driver fetched them.
 */
final class TimeText {

  private TimeText() {}

  /** Whether a column is of a date or time. */
  static boolean isTime(ResultSetMetaData meta, int column) throws SQLException {
    return switch (meta.getColumnType(column)) {
      case Types.DATE,
          Types.TIME,
          Types.TIME_WITH_TIMEZONE,
          Types.TIMESTAMP,
          Types.TIMESTAMP_WITH_TIMEZONE ->
          true;
      default -> false;
    };
  }

  /** The text; null for NULL. */
  static @Nullable String read(ResultSet result, int column) throws SQLException {
    ResultSetMetaData meta = result.getMetaData();
    // PostgreSQL's driver tells those with a zone by the name of their type alone.
    String name = meta.getColumnTypeName(column).toLowerCase(Locale.ROOT);
    Class<?> type =
        switch (meta.getColumnType(column)) {
          case Types.DATE -> LocalDate.class;
          case Types.TIME -> name.equals("timetz") ? OffsetTime.class : LocalTime.class;
          case Types.TIME_WITH_TIMEZONE -> OffsetTime.class;
          case Types.TIMESTAMP ->
              name.equals("timestamptz") ? OffsetDateTime.class : LocalDateTime.class;
          default -> OffsetDateTime.class;
        };
    Object value = result.getObject(column, type);
    return switch (value) {
      case null -> null;
      case OffsetDateTime time -> time.toInstant().toString();
      default -> value.toString();
    };
  }
}
