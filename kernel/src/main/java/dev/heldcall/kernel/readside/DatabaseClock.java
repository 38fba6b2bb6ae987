package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;

/** The database's clock against ours (the design, rule 11). */
public final class DatabaseClock {

  private final Store store;
  private final InstantSource clock;

  /** Compares with this clock. */
  public DatabaseClock(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * How far the database's clock is ahead of ours, in milliseconds; negative if it is behind. Half
   * of the round trip is taken as the way back, so the error is at most the other half.
   */
  public long skewMillis() throws SQLException {
    String sql =
        switch (store.dialect()) {
          case H2 ->
              "SELECT DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00',"
                  + " CURRENT_TIMESTAMP(9))";
          case POSTGRESQL -> "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT";
        };
    try (Connection connection = store.connection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      long before = clock.millis();
      try (ResultSet rows = select.executeQuery()) {
        long after = clock.millis();
        rows.next();
        return rows.getLong(1) - (before + (after - before) / 2);
      }
    }
  }
}
