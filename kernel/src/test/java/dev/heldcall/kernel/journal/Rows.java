package dev.heldcall.kernel.journal;

import dev.heldcall.kernel.journal.EventRow.Content;
import dev.heldcall.kernel.store.Store;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Rows of the journal for tests, without a serializer. */
final class Rows {

  private Rows() {}

  static EventRow row(String id, long sequence, String writer) {
    return new EventRow(
        id,
        sequence,
        false,
        writer,
        0,
        "",
        new Content(1, "", (writer + sequence).getBytes(StandardCharsets.UTF_8)),
        null);
  }

  /** The rows of an actor from one number to another. */
  static List<EventRow> rows(String id, long first, long last, String writer) {
    return LongStream.rangeClosed(first, last).mapToObj(i -> row(id, i, writer)).toList();
  }

  static JournalTable table(Store store) {
    return JournalTable.of(
        switch (store.dialect()) {
          case H2 -> "jdbc:h2:";
          case POSTGRESQL -> "jdbc:postgresql:";
        });
  }

  /** What the journal has of an actor: each event's writer and number. */
  static List<String> written(Store store, String id) throws SQLException {
    List<String> written = new ArrayList<>();
    try (Connection connection = store.connection()) {
      for (EventRow each : table(store).rows(connection, id, 1, Long.MAX_VALUE, 100_000)) {
        written.add(each.writer() + each.sequenceNumber());
      }
    }
    return written;
  }
}
