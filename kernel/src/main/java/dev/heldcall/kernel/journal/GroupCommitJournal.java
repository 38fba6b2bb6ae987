package dev.heldcall.kernel.journal;

import com.typesafe.config.Config;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.heldcall.kernel.store.JdbcExecutor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.japi.AsyncWriteJournal;
import org.apache.pekko.serialization.SerializationExtension;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/**
 * The journal plugin of the store (ADR 0012). It keeps what Pekko's journals promise: an atomic
 * write is there whole or not at all, an actor's writes are in order, an event that cannot be
 * serialized is rejected by itself, and of two incarnations that write the same sequence number one
 * fails. A write is answered once its commit has returned.
 *
 * <p>What it is for is the price: {@link WriteQueue} joins concurrent writes, and {@link ReadQueue}
 * joins concurrent recoveries, each of which is one read. The stock plugin reads the highest number
 * and the events separately; here the first question's answer has the events too, and is kept for
 * the second, which follows at once.
 */
public final class GroupCommitJournal extends AsyncWriteJournal {

  /** Beginnings that are kept between the two questions of a recovery. */
  private static final int MAX_KEPT = 4_096;

  private static final int PAGE = 500;

  private final HikariDataSource pool;
  private final JournalTable table;
  private final WriteQueue writes;
  private final ReadQueue reads;
  private final EventSerialization serialization;
  private final Latest<ReadQueue.Beginning> kept = new Latest<>(MAX_KEPT);

  /** One at a time, for each takes a connection that the writer may be in need of. */
  private final JdbcExecutor background = new JdbcExecutor(1);

  /**
   * Made by Pekko.
   *
   * @param config the plugin's own section: {@code url}, {@code driver}, {@code user}, {@code
   *     password}, {@code readers}
   */
  public GroupCommitJournal(Config config) {
    this.pool = new HikariDataSource(poolConfig(config));
    this.table = JournalTable.of(config.getString("url"));
    this.writes = new WriteQueue(pool, table, ClusterContact.of(context().system())::holds);
    this.reads = new ReadQueue(pool, table, config.getInt("readers"));
    this.serialization = new EventSerialization(SerializationExtension.get(context().system()));
  }

  private static HikariConfig poolConfig(Config config) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("heldcall-journal");
    pool.setJdbcUrl(config.getString("url"));
    pool.setDriverClassName(config.getString("driver"));
    if (config.hasPath("user")) {
      pool.setUsername(config.getString("user"));
    }
    if (config.hasPath("password")) {
      pool.setPassword(config.getString("password"));
    }
    // the writer, the readers, and one for long journals and deletions
    int connections = config.getInt("readers") + 2;
    pool.setMaximumPoolSize(connections);
    pool.setMinimumIdle(connections);
    pool.setConnectionTimeout(5_000);
    pool.setValidationTimeout(2_000);
    // A database that is away at the start is the store's to report; here it fails each write.
    pool.setInitializationFailTimeout(-1);
    return pool;
  }

  @Override
  public void postStop() throws Exception {
    super.postStop();
    writes.close();
    reads.close();
    background.close();
    pool.close();
  }

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(
      Iterable<AtomicWrite> messages) {
    List<EventRow> rows = new ArrayList<>();
    List<Optional<Exception>> rejections = new ArrayList<>();
    boolean rejected = false;
    for (AtomicWrite message : messages) {
      List<EventRow> own = new ArrayList<>();
      try {
        for (PersistentRepr repr : CollectionConverters.asJava(message.payload())) {
          own.add(serialization.row(repr));
        }
        rows.addAll(own);
        rejections.add(Optional.empty());
      } catch (Exception e) { // Scala's serializers throw checked exceptions undeclared
        rejected = true;
        rejections.add(Optional.of(e));
        rows.addAll(vacant(message));
      }
    }
    Iterable<Optional<Exception>> answer = rejected ? rejections : List.of();
    return FutureConverters.asScala(writes.write(rows).thenApply(done -> answer));
  }

  private static List<EventRow> vacant(AtomicWrite message) {
    List<EventRow> rows = new ArrayList<>();
    for (PersistentRepr repr : CollectionConverters.asJava(message.payload())) {
      rows.add(EventRow.rejected(repr.persistenceId(), repr.sequenceNr(), repr.writerUuid()));
    }
    return rows;
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return FutureConverters.asScala(
        reads
            .read(persistenceId)
            .thenApply(
                beginning -> {
                  if (beginning.whole() && !beginning.rows().isEmpty()) {
                    kept.put(persistenceId, beginning);
                  } else {
                    var _ = kept.remove(persistenceId);
                  }
                  return beginning.highest();
                }));
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId,
      long fromSequenceNr,
      long toSequenceNr,
      long max,
      Consumer<PersistentRepr> replay) {
    ReadQueue.Beginning beginning = kept.remove(persistenceId);
    if (beginning != null && beginning.highest() >= toSequenceNr) {
      replay(beginning.rows(), fromSequenceNr, toSequenceNr, max, replay);
      return FutureConverters.asScala(CompletableFuture.<Void>completedFuture(null));
    }
    return FutureConverters.asScala(
        inBackground(
            connection ->
                replayPages(connection, persistenceId, fromSequenceNr, toSequenceNr, max, replay)));
  }

  private void replay(
      List<EventRow> rows, long from, long to, long max, Consumer<PersistentRepr> replay) {
    long left = max;
    for (EventRow row : rows) {
      if (!row.deleted()
          && row.sequenceNumber() >= from
          && row.sequenceNumber() <= to
          && left > 0) {
        replay.accept(serialization.repr(row));
        left--;
      }
    }
  }

  private void replayPages(
      Connection connection,
      String persistenceId,
      long from,
      long to,
      long max,
      Consumer<PersistentRepr> replay)
      throws SQLException {
    long next = from;
    long left = max;
    while (left > 0) {
      int limit = (int) Math.min(PAGE, left);
      List<EventRow> page = table.rows(connection, persistenceId, next, to, limit);
      replay(page, from, to, left, replay);
      left -= page.size();
      if (page.size() < limit) {
        return;
      }
      next = page.getLast().sequenceNumber() + 1;
    }
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    return FutureConverters.asScala(
        inBackground(connection -> table.delete(connection, persistenceId, toSequenceNr)));
  }

  private interface JdbcWork {
    void run(Connection connection) throws SQLException;
  }

  private CompletableFuture<Void> inBackground(JdbcWork work) {
    return CompletableFuture.allOf(
        background.ask(
            () -> {
              try (Connection connection = pool.getConnection()) {
                work.run(connection);
                return true;
              }
            }));
  }
}
