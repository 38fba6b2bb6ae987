package dev.heldcall.kernel.store;

import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where the database is waited for: as many threads as the pool has connections, and a bounded
 * queue. What finds no place fails at once.
 */
public final class JdbcExecutor implements Executor, AutoCloseable {

  /** Waiting calls; a database that is that far behind is not helped by more. */
  public static final int MAX_WAITING = 8_192;

  private final ThreadPoolExecutor threads;

  /** With {@code size} threads. */
  public JdbcExecutor(int size) {
    threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            Thread.ofPlatform().name("heldcall-jdbc-", 0).daemon(true).factory());
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /**
   * What asks the database.
   *
   * @param <T> what it answers
   */
  @FunctionalInterface
  public interface Query<T> {
    /** Asks. */
    T run() throws SQLException;
  }

  /** Asks the database; the stage fails if it does not answer or the queue is full. */
  public <T> CompletableFuture<T> ask(Query<T> query) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      threads.execute(
          () -> {
            try {
              answer.complete(query.run());
            } catch (SQLException | RuntimeException | Error e) {
              answer.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new RejectedExecutionException("the database queue is full", e));
    }
    return answer;
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
