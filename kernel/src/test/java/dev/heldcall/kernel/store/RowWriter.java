package dev.heldcall.kernel.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;

/**
 * A process that opens the embedded database, writes rows until it has written as many as it is
 * told, says each that is committed, and then waits. It closes the database on SIGTERM.
 */
final class RowWriter {

  /** What precedes the number of a row that is committed. */
  static final String WRITTEN = "written ";

  private RowWriter() {}

  public static void main(String[] arguments) throws Exception {
    Store store = Store.open(StoreSettings.embedded(Path.of(arguments[0])), 2);
    Runtime.getRuntime().addShutdownHook(new Thread(store::close));
    System.out.println("open");
    int count = Integer.parseInt(arguments[1]);
    try (Connection connection = store.connection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO event_journal (persistence_id, sequence_number, writer,"
                    + " write_timestamp, adapter_manifest, event_ser_id, event_ser_manifest,"
                    + " event_payload) VALUES ('p', ?, '', 0, '', 1, '', ?)")) {
      for (int i = 1; i <= count; i++) {
        insert.setLong(1, i);
        insert.setBytes(2, new byte[300]);
        insert.executeUpdate();
        System.out.println(WRITTEN + i);
      }
    }
    Thread.currentThread().join();
  }
}
