package dev.heldcall.kernel.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the database many questions with one statement: those that come while one batch is under way
 * share the next; it never lingers for more. So a quiet node answers at once, and a busy one pays
 * for a statement once in many questions.
 *
 * @param <Q> a question
 * @param <A> its answer
 */
public final class Batches<Q, A> implements AutoCloseable {

  private final String name;
  private final int size;
  private final Work<Q, A> work;
  private final BlockingQueue<Waiting<Q, A>> waiting;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  /**
   * Answers a batch.
   *
   * @param <Q> a question
   * @param <A> its answer
   */
  @FunctionalInterface
  public interface Work<Q, A> {
    /** The answers, one for each question, in order. */
    List<A> answer(List<Q> questions) throws SQLException;
  }

  /** One that waits; without a question it only wakes a thread. */
  private record Waiting<Q, A>(@Nullable Q question, CompletableFuture<A> answer) {}

  /**
   * Begins.
   *
   * @param name of its threads and in its failures
   * @param threads how many batches are under way at a time
   * @param capacity how many questions may wait; more fail at once
   * @param size the most questions of a batch
   */
  public Batches(String name, int threads, int capacity, int size, Work<Q, A> work) {
    this.name = name;
    this.size = size;
    this.work = work;
    this.waiting = new ArrayBlockingQueue<>(capacity);
    for (int i = 0; i < threads; i++) {
      this.threads.add(Thread.ofPlatform().name(name + "-" + i).daemon(true).start(this::run));
    }
  }

  /** Asks; the stage fails if the database does not answer or too many wait. */
  public CompletableFuture<A> ask(Q question) {
    Waiting<Q, A> one = new Waiting<>(question, new CompletableFuture<>());
    if (!closed && !waiting.offer(one)) {
      one.answer()
          .completeExceptionally(new RejectedExecutionException(name + " has too many waiting"));
    } else if (closed) {
      // The threads may have ended before they could see this one.
      var _ = waiting.remove(one);
      one.answer().completeExceptionally(new RejectedExecutionException(name + " is closed"));
    }
    return one.answer();
  }

  private void run() {
    try {
      while (!closed) {
        List<Waiting<Q, A>> batch = new ArrayList<>();
        batch.add(waiting.take());
        waiting.drainTo(batch, size - 1);
        answer(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Waiting<Q, A> each = waiting.poll(); each != null; each = waiting.poll()) {
      each.answer().completeExceptionally(new RejectedExecutionException(name + " is closed"));
    }
    wake();
  }

  private void answer(List<Waiting<Q, A>> batch) {
    List<Q> questions = new ArrayList<>(batch.size());
    List<CompletableFuture<A>> answers = new ArrayList<>(batch.size());
    for (Waiting<Q, A> each : batch) {
      if (each.question() != null) {
        questions.add(each.question());
        answers.add(each.answer());
      }
    }
    if (questions.isEmpty()) {
      return;
    }
    try {
      List<A> found = work.answer(questions);
      for (int i = 0; i < answers.size(); i++) {
        answers.get(i).complete(found.get(i));
      }
    } catch (SQLException | RuntimeException | Error e) {
      answers.forEach(each -> each.completeExceptionally(e));
    }
  }

  private void wake() {
    var _ = waiting.offer(new Waiting<>(null, new CompletableFuture<>()));
  }

  /**
   * Ends after the batches that are under way; what waits fails. The threads are never interrupted:
   * that would close the embedded database's file under them.
   */
  @Override
  public void close() {
    closed = true;
    wake();
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
