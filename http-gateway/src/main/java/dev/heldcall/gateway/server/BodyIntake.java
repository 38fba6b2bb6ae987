package dev.heldcall.gateway.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.RequestEntity;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Takes in the body of a request within its bounds of size and time. Of a body that is too large
 * the rest is read and dropped while the refusal is on its way, so that a client which is still
 * writing sees an answer and not a reset connection.
 */
final class BodyIntake {

  /** What came of a body. */
  sealed interface Intake {

    /** All of it; {@link BodyIntake#release} it when nothing of it is needed any more. */
    record Whole(ByteString bytes) implements Intake {}

    /**
     * The node has as much of other bodies as it takes.
     *
     * @param drained completes when the rest was read or given up
     */
    record Crowded(CompletionStage<?> drained) implements Intake {}

    /**
     * It is over the bound.
     *
     * @param drained completes when the rest was read or given up
     */
    record TooLarge(CompletionStage<?> drained) implements Intake {}

    /** It did not arrive in time. */
    record TooSlow() implements Intake {}

    /** The connection failed, or the chunks are malformed. */
    record Broken() implements Intake {}
  }

  private final Materializer materializer;
  private final long maxBytes;
  private final long drainBytes;
  private final Duration timeout;
  private final BodyBudget budget;

  BodyIntake(
      Materializer materializer,
      long maxBytes,
      long drainBytes,
      Duration timeout,
      BodyBudget budget) {
    this.budget = budget;
    this.materializer = materializer;
    this.maxBytes = maxBytes;
    this.drainBytes = Math.max(drainBytes, maxBytes + 1);
    this.timeout = timeout;
  }

  /** Reads the whole body; the stage never fails. */
  CompletionStage<Intake> read(HttpRequest request) {
    RequestEntity entity = request.entity();
    boolean over = entity.getContentLengthOption().orElse(0) > maxBytes;
    if (over) {
      return CompletableFuture.completedFuture(new Intake.TooLarge(drain(request)));
    }
    if (entity instanceof HttpEntity.Strict strict) {
      // It came with its head, as small bodies do: nothing is to be awaited.
      return CompletableFuture.completedFuture(
          budget.take(strict.getData().size())
              ? new Intake.Whole(strict.getData())
              : new Intake.Crowded(CompletableFuture.completedFuture(Done.getInstance())));
    }
    return consume(entity, new Collector(maxBytes, drainBytes, budget)).result;
  }

  /**
   * Reads and drops the body of a request that is refused before its body was read. A client that
   * waits for leave to send it is not given leave.
   *
   * @return completes when it was read or given up; never fails
   */
  CompletionStage<?> drain(HttpRequest request) {
    if (request.entity().isStrict() || expectsContinue(request)) {
      return CompletableFuture.completedFuture(Done.getInstance());
    }
    return consume(request.entity(), new Collector(-1, drainBytes, budget)).drained;
  }

  /** Gives back what a whole body has taken of the node's budget; once for each. */
  void release(Intake.Whole whole) {
    budget.giveBack(whole.bytes().size());
  }

  private static boolean expectsContinue(HttpRequest request) {
    return request.getHeader("expect").isPresent();
  }

  private Collector consume(RequestEntity entity, Collector collector) {
    entity
        .withoutSizeLimit()
        .getDataBytes()
        .completionTimeout(timeout)
        .takeWhile(collector::accept)
        .runWith(Sink.ignore(), materializer)
        .whenComplete((_, failure) -> collector.ended(failure));
    return collector;
  }

  /** Collects the bytes of one body; used by one stream only. */
  private static final class Collector {
    private final long maxBytes;
    private final long drainBytes;
    private final CompletableFuture<Intake> result = new CompletableFuture<>();
    private final CompletableFuture<Done> drained = new CompletableFuture<>();
    private final BodyBudget budget;
    private ByteString bytes = ByteString.emptyByteString();
    private long total;

    Collector(long maxBytes, long drainBytes, BodyBudget budget) {
      this.maxBytes = maxBytes;
      this.drainBytes = drainBytes;
      this.budget = budget;
    }

    /** Takes a part; false if no more is wanted. */
    boolean accept(ByteString part) {
      total += part.size();
      if (result.isDone()) {
        return total < drainBytes;
      }
      if (total > maxBytes) {
        drop();
        result.complete(new Intake.TooLarge(drained));
      } else if (budget.take(part.size())) {
        bytes = bytes.concat(part);
      } else {
        drop();
        result.complete(new Intake.Crowded(drained));
      }
      return total < drainBytes;
    }

    private void drop() {
      budget.giveBack(bytes.size());
      bytes = ByteString.emptyByteString();
    }

    void ended(@Nullable Throwable failure) {
      if (failure == null && result.complete(new Intake.Whole(bytes))) {
        drained.complete(Done.getInstance());
        return;
      }
      if (!result.isDone()) {
        drop();
      }
      if (failure instanceof TimeoutException) {
        result.complete(new Intake.TooSlow());
      } else {
        result.complete(new Intake.Broken());
      }
      drained.complete(Done.getInstance());
    }
  }
}
