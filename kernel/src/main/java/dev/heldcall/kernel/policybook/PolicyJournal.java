package dev.heldcall.kernel.policybook;

import dev.heldcall.kernel.readside.JournalReader;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the policy reader reads of the journal; every method asks the database. */
public interface PolicyJournal {

  /**
   * The greatest sequence number of each entity, in one query; none for an entity without events.
   */
  Map<String, Long> maxSequences(Set<String> persistenceIds) throws SQLException;

  /** At most {@code limit} events of an entity in order, the first one numbered at least so. */
  List<JournalReader.RawEvent> events(String persistenceId, long fromSequence, int limit)
      throws SQLException;

  /** The journal in the database. */
  static PolicyJournal of(JournalReader reader) {
    return new PolicyJournal() {
      @Override
      public Map<String, Long> maxSequences(Set<String> persistenceIds) throws SQLException {
        return reader.maxSequences(persistenceIds);
      }

      @Override
      public List<JournalReader.RawEvent> events(String persistenceId, long fromSequence, int limit)
          throws SQLException {
        return reader.events(persistenceId, fromSequence, limit);
      }
    };
  }
}
