package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database of the release that projected by tags is taken over with all its calls. */
@Timeout(60)
class MigrationTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void theJournalStaysAndTheTailMakesTheIndexFromIt(Engine engine) throws Exception {
    Database database = engine.fresh(folder);
    LiveCall waiting = JournalRows.call("c-1", HUMAN);
    LiveCall ended = JournalRows.call("c-2", HUMAN);
    ended.approve(ALICE);
    ended.answered("{'id': 'p-1'}");
    database.old(
        1,
        connection -> {
          JournalRows.write(connection, waiting, 1);
          JournalRows.write(connection, ended, 1);
          projectedByTags(connection);
          return true;
        });

    try (Store store = database.open();
        ReadSideWriter writer =
            new ReadSideWriter(new ReadSideTables(store, MailboxItem::of), new MailboxBell())) {
      JournalReader journal = new JournalReader(store);
      assertThat(journal.events(JournalRows.persistenceId(waiting), 1, 100)).hasSize(2);
      assertThat(journal.events(JournalRows.persistenceId(ended), 1, 100)).hasSize(6);
      CallIndex index = new CallIndex(store);
      assertThat(index.find(JournalRows.heldId(ended))).isEmpty();

      assertThat(new JournalTail(store, JournalRows.CODEC, writer).look(0)).isEqualTo(2);
      assertThat(index.find(JournalRows.heldId(waiting))).map(CallRow::seqNr).contains(2L);
      assertThat(index.find(JournalRows.heldId(ended)))
          .contains(CallRows.of(ended.facts(), ended.journal().size()));
      assertThat(new Mailbox(store).list(SessionKey.of(ended.facts().requireSpec()), 0, 10))
          .extracting(Mailbox.Item::heldId)
          .containsExactly(JournalRows.heldId(ended));
    }
  }

  private static void projectedByTags(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO event_tag SELECT ordering, 'slice-0' FROM event_journal");
      statement.execute(
          "INSERT INTO pekko_projection_offset_store"
              + " VALUES ('call-index', 'slice-0', '8', 'SEQ', FALSE, 0)");
    }
  }
}
