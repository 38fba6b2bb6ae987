package dev.heldcall.kernel.store;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * The configuration of the journal plugin for one database. It has a small pool of its own. A call
 * has a dozen events, so there is no snapshot store, and recovery is spared its read. Sequence
 * numbers are unique in the table, so a replay has no interleaved writers to filter out.
 */
final class JournalConfig {

  private JournalConfig() {}

  static Config of(JdbcTarget target, int readers) {
    Map<String, Object> values = new HashMap<>();
    values.put("pekko.persistence.journal.plugin", "heldcall-journal");
    values.put("pekko.persistence.snapshot-store.plugin", "pekko.persistence.no-snapshot-store");
    String journal = "heldcall-journal.";
    values.put(journal + "class", "dev.heldcall.kernel.journal.GroupCommitJournal");
    values.put(journal + "plugin-dispatcher", "pekko.actor.default-dispatcher");
    values.put(journal + "replay-filter.mode", "off");
    values.put(journal + "readers", readers);
    values.put(journal + "url", target.url());
    values.put(journal + "driver", target.driver());
    if (target.user() != null) {
      values.put(journal + "user", target.user());
    }
    if (target.password() != null) {
      values.put(journal + "password", target.password());
    }
    return ConfigFactory.parseMap(values, "the store");
  }
}
