package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.store.DataFault;
import dev.heldcall.kernel.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the read side against the journal, and makes good what it lacks. Nodes write their calls to
 * the read side themselves ({@link ReadSideWriter}); what a crash, a full queue or a failed write
 * left out is found here, rebuilt from the call's journal, and woken, for nobody knows what it
 * missed.
 *
 * <p>Each stretch of the journal is looked at twice: about a second after it was written, and once
 * more a minute later, for {@code ordering} is drawn before the commit, and a slow transaction may
 * show up behind what was looked at. Only the second look is remembered over a restart.
 */
public final class JournalTail {

  private static final Logger LOG = LoggerFactory.getLogger(JournalTail.class);
  private static final String CALLS = "held-call|";
  private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(800);
  private static final long FAR_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long STRETCH = 10_000;
  private static final long WRITE_SECONDS = 20;

  private final Store store;
  private final JournalCodec codec;
  private final ReadSideWriter writer;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long near = -1;
  private long far = -1;

  /** How far the journal reached at a time. */
  private record Sample(long nanos, long ordering) {}

  /** Makes good through {@code writer}. */
  public JournalTail(Store store, JournalCodec codec, ReadSideWriter writer) {
    this.store = store;
    this.codec = codec;
    this.writer = writer;
  }

  /**
   * Looks once; called about every second, by one thread at a time. After a failure the same
   * stretch is looked at again.
   *
   * @param nanos a monotonic time
   * @return how many calls were made good
   * @throws SQLException if the database does not answer
   */
  public int look(long nanos) throws SQLException {
    long now = highest();
    int repaired = 0;
    if (far < 0) {
      far = stored();
      near = far;
      samples.add(new Sample(nanos - NEAR_NANOS, now));
    }
    samples.addLast(new Sample(nanos, now));
    forgetBefore(nanos - FAR_NANOS);
    long nearEnd = reachedBefore(nanos - NEAR_NANOS);
    while (near < nearEnd) {
      long end = Math.min(near + STRETCH, nearEnd);
      repaired += repair(near, end);
      near = end;
    }
    long farEnd = Math.min(reachedBefore(nanos - FAR_NANOS), near);
    if (far < farEnd) {
      while (far < farEnd) {
        long end = Math.min(far + STRETCH, farEnd);
        repaired += repair(far, end);
        far = end;
      }
      store(far);
    }
    return repaired;
  }

  /** Of the samples up to a time only the last one says anything. */
  private void forgetBefore(long nanos) {
    Sample last = null;
    while (!samples.isEmpty() && samples.getFirst().nanos() <= nanos) {
      last = samples.removeFirst();
    }
    if (last != null) {
      samples.addFirst(last);
    }
  }

  private long reachedBefore(long nanos) {
    long reached = -1;
    for (Sample sample : samples) {
      if (sample.nanos() <= nanos) {
        reached = sample.ordering();
      }
    }
    return reached;
  }

  private int repair(long after, long end) throws SQLException {
    Map<String, CompletableFuture<Void>> writes = new LinkedHashMap<>();
    for (String persistenceId : lagging(after, end)) {
      try {
        writes.put(persistenceId, writer.write(rebuilt(persistenceId)));
      } catch (RuntimeException e) {
        // One journal that this release cannot read must not stop the others.
        LOG.error("{}: its journal cannot be read for the index", persistenceId, e);
      }
    }
    int written = 0;
    for (Map.Entry<String, CompletableFuture<Void>> each : writes.entrySet()) {
      written += isWritten(each.getKey(), each.getValue()) ? 1 : 0;
    }
    if (written > 0) {
      LOG.info("{} calls were missing in the index or old there, and were made good", written);
    }
    return written;
  }

  /**
   * Waits for a write. One call that cannot be written, now or ever, must not stop the others.
   *
   * @throws SQLException if it may be written later: the database is away, or too much waits
   */
  private static boolean isWritten(String persistenceId, CompletableFuture<Void> write)
      throws SQLException {
    try {
      write.orTimeout(WRITE_SECONDS, TimeUnit.SECONDS).join();
      return true;
    } catch (CompletionException e) {
      boolean refused =
          switch (e.getCause()) {
            case SQLException sql -> DataFault.isCauseOf(sql);
            case RejectedExecutionException full -> false;
            case RuntimeException unfit -> true;
            case null, default -> false;
          };
      if (!refused) {
        throw new SQLException("the read side could not be made good", e);
      }
      LOG.error("{}: the call cannot be written to the index", persistenceId, e.getCause());
      return false;
    }
  }

  /** The calls of a stretch whose row is missing or older than their last event in it. */
  private List<String> lagging(long after, long end) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT seen.id FROM (SELECT persistence_id AS id, MAX(sequence_number) AS seq"
                    + " FROM event_journal WHERE ordering > ? AND ordering <= ?"
                    + " AND persistence_id LIKE '"
                    + CALLS
                    + "%' AND deleted = FALSE GROUP BY persistence_id) seen LEFT JOIN call_index"
                    + " ON call_index.held_id = SUBSTRING(seen.id FROM "
                    + (CALLS.length() + 1)
                    + ") WHERE call_index.seq_nr IS NULL OR call_index.seq_nr < seen.seq")) {
      select.setLong(1, after);
      select.setLong(2, end);
      List<String> ids = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getString(1));
        }
      }
      return ids;
    }
  }

  private ReadSideTables.Seen rebuilt(String persistenceId) throws SQLException {
    HeldCallFacts facts = HeldCallFacts.NONE;
    long sequence = 0;
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT sequence_number, event_ser_manifest, event_payload FROM event_journal"
                    + " WHERE persistence_id = ? AND deleted = FALSE ORDER BY sequence_number")) {
      select.setString(1, persistenceId);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          sequence = rows.getLong(1);
          HeldCallEvent event = (HeldCallEvent) codec.read(rows.getString(2), rows.getBytes(3));
          facts = HeldCallReducer.reduce(facts, event);
        }
      }
    }
    if (!facts.proposed()) {
      throw new IllegalStateException("its journal does not begin with a proposal");
    }
    return new ReadSideTables.Seen(facts, sequence, true);
  }

  private long highest() throws SQLException {
    return number("SELECT MAX(ordering) FROM event_journal");
  }

  private long stored() throws SQLException {
    return number("SELECT MAX(ordering) FROM read_side_progress");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select = connection.prepareStatement(sql);
        ResultSet rows = select.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void store(long ordering) throws SQLException {
    store.inTransaction(
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE read_side_progress SET ordering = ?")) {
            update.setLong(1, ordering);
            return update.executeUpdate();
          }
        });
  }
}
