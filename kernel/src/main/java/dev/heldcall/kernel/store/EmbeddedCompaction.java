package dev.heldcall.kernel.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the embedded database's file small. H2 appends every commit as a new chunk and reuses a
 * chunk's space only once nothing in it is current any more; its own housekeeping, which rewrites
 * what is left of old chunks, does not run where every commit is written at once ({@code
 * WRITE_DELAY=0}). So it is done here, a bounded piece at a time.
 */
final class EmbeddedCompaction implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCompaction.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Percent of the chunks' bytes that are current; under it they are rewritten. */
  private static final int TARGET_FILL = 60;

  /** What one rewriting may write, in bytes. */
  private static final int PIECE = 4 << 20;

  private static final int PIECES = 8;

  private final DataSource pool;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  EmbeddedCompaction(DataSource pool) {
    this.pool = pool;
    this.thread = Thread.ofPlatform().name("heldcall-compaction").daemon(true).start(this::run);
  }

  private void run() {
    try {
      while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          compact();
        } catch (SQLException | RuntimeException e) {
          LOG.warn("The embedded database was not compacted, again later: {}", e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void compact() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      MVStore store = store(connection);
      // Every write is durable when it returns, so there is no old chunk to be kept for a crash. It
      // is not so for good, for then every commit would cut the file's end off, with a force.
      int retention = store.getRetentionTime();
      store.setRetentionTime(0);
      try {
        compact(store);
      } finally {
        store.setRetentionTime(retention);
      }
    }
  }

  private void compact(MVStore store) {
    for (int piece = 0; piece < PIECES && closing.getCount() > 0; piece++) {
      if (!store.compact(TARGET_FILL, PIECE)) {
        return;
      }
    }
  }

  private static MVStore store(Connection connection) throws SQLException {
    JdbcConnection h2 = connection.unwrap(JdbcConnection.class);
    return ((SessionLocal) h2.getSession()).getDatabase().getStore().getMvStore();
  }

  /** Waits for the piece that is under way. Never interrupts it: that would close H2's file. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
