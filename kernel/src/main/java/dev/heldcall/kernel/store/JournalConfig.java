package dev.heldcall.kernel.store;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * The configuration of Pekko's JDBC plugins for one database.
 *
 * <p>All plugins share one Slick database, so there is one pool beside our own. A call has a dozen
 * events, so there is no snapshot store, and recovery is spared its read. Sequence gaps are awaited
 * for one second (10 tries of 100 ms) before the read journal takes them for aborted inserts.
 */
final class JournalConfig {

  private JournalConfig() {}

  /**
   * Batches of events that are written at the same time. H2 forces once for each commit even when
   * several come together, so there one writer takes what has queued up meanwhile: one transaction,
   * one force. PostgreSQL groups commits itself.
   */
  private static int writers(Dialect dialect, int journalConnections) {
    return switch (dialect) {
      case H2 -> 1;
      case POSTGRESQL -> journalConnections;
    };
  }

  static Config of(JdbcTarget target, int journalConnections, int projectionThreads) {
    Map<String, Object> values = new HashMap<>();
    values.put("pekko.persistence.journal.plugin", "jdbc-journal");
    values.put("pekko.persistence.snapshot-store.plugin", "pekko.persistence.no-snapshot-store");
    values.put("jdbc-journal.use-shared-db", "slick");
    values.put("jdbc-journal.parallelism", writers(target.dialect(), journalConnections));
    values.put("jdbc-read-journal.use-shared-db", "slick");
    values.put("jdbc-read-journal.refresh-interval", "100ms");
    values.put("jdbc-read-journal.journal-sequence-retrieval.query-delay", "100ms");
    values.put("pekko.projection.jdbc.dialect", target.dialect().projectionDialect());
    values.put(
        "pekko.projection.jdbc.blocking-jdbc-dispatcher.thread-pool-executor.fixed-pool-size",
        projectionThreads);

    String slick = "pekko-persistence-jdbc.shared-databases.slick.";
    values.put(slick + "profile", target.dialect().slickProfile());
    values.put(slick + "db.url", target.url());
    values.put(slick + "db.driver", target.driver());
    if (target.user() != null) {
      values.put(slick + "db.user", target.user());
    }
    if (target.password() != null) {
      values.put(slick + "db.password", target.password());
    }
    values.put(slick + "db.connectionTimeout", 5_000);
    values.put(slick + "db.validationTimeout", 2_000);
    values.put(slick + "db.numThreads", journalConnections);
    values.put(slick + "db.maxConnections", journalConnections);
    values.put(slick + "db.minConnections", journalConnections);
    return ConfigFactory.parseMap(values, "the store");
  }
}
