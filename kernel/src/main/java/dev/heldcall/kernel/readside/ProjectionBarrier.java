package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells whether the index has caught up with what the journal held at some moment, so that a list
 * can show its reader what was acknowledged to it before.
 */
public final class ProjectionBarrier {

  private final Store store;
  private final String projection;
  private final List<String> tags;

  /** For a projection with one offset a tag. */
  public ProjectionBarrier(Store store, String projection, List<String> tags) {
    this.store = store;
    this.projection = projection;
    this.tags = List.copyOf(tags);
  }

  /** How far each tag's journal reaches now. */
  public Map<String, Long> mark() throws SQLException {
    Map<String, Long> mark = new HashMap<>();
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement("SELECT MAX(event_id) FROM event_tag WHERE tag = ?")) {
      for (String tag : tags) {
        select.setString(1, tag);
        try (ResultSet rows = select.executeQuery()) {
          rows.next();
          mark.put(tag, rows.getLong(1));
        }
      }
    }
    return mark;
  }

  /** Whether the projection is past the mark. */
  public boolean passed(Map<String, Long> mark) throws SQLException {
    Map<String, Long> offsets = new HashMap<>();
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT projection_key, current_offset FROM pekko_projection_offset_store"
                    + " WHERE projection_name = ?")) {
      select.setString(1, projection);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          offsets.put(rows.getString(1), Long.parseLong(rows.getString(2)));
        }
      }
    }
    return mark.entrySet().stream()
        .allMatch(each -> offsets.getOrDefault(each.getKey(), 0L) >= each.getValue());
  }
}
