package dev.heldcall.gateway.server;

import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.route.Answer;
import dev.heldcall.gateway.route.Endpoint;
import dev.heldcall.gateway.route.Exchange;
import dev.heldcall.gateway.route.Load;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Runs an endpoint within the node's bounds, and answers for what it could not foresee. */
final class EndpointRunner {

  private static final Logger LOG = LoggerFactory.getLogger(EndpointRunner.class);

  /** After this a write is done, and whatever is not answered yet only waits. */
  private static final long PARKED_AFTER_MILLIS = 2_000;

  private final Admission admission;
  private final BooleanSupplier inContact;

  /**
   * Runs within the bounds.
   *
   * @param inContact whether an answer that was made may be told
   */
  EndpointRunner(Admission admission, BooleanSupplier inContact) {
    this.admission = admission;
    this.inContact = inContact;
  }

  /** Runs it, if the node has room. */
  CompletionStage<Answer> run(Endpoint endpoint, Exchange exchange) {
    Optional<Admission.Ticket> ticket = admission.enter(endpoint.load());
    if (ticket.isEmpty()) {
      return CompletableFuture.completedFuture(
          Answer.of(
              ProblemDetails.of(
                  ProblemType.OVERLOADED, "the node has too much under way; nothing was done")));
    }
    Admission.Ticket held = ticket.get();
    CompletableFuture<Answer> answer;
    try {
      answer = endpoint.handler().handle(exchange).toCompletableFuture();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    if (endpoint.load() == Load.WAITING_WRITE) {
      releaseWhenParked(answer, held);
    }
    return answer
        .exceptionally(failure -> failed(endpoint, exchange, failure))
        .thenApply(made -> endpoint.load() == Load.NONE ? made : told(made))
        .whenComplete((_, _) -> held.close());
  }

  /** An answer of a node that has lost its cluster may be about calls that others have by now. */
  private Answer told(Answer made) {
    return inContact.getAsBoolean()
        ? made
        : Answer.of(
            ProblemDetails.of(
                ProblemType.UNAVAILABLE,
                "this node has no contact with its cluster; what was asked may have been done: ask"
                    + " another one"));
  }

  private static void releaseWhenParked(CompletableFuture<Answer> answer, Admission.Ticket ticket) {
    var _ =
        answer
            .<Object>thenApply(done -> done)
            .completeOnTimeout(ticket, PARKED_AFTER_MILLIS, TimeUnit.MILLISECONDS)
            .whenComplete((_, _) -> ticket.parked());
  }

  private static Answer failed(Endpoint endpoint, Exchange exchange, Throwable failure) {
    Throwable cause = unwrapped(failure);
    try (MDC.MDCCloseable _ =
        MDC.putCloseable("held_id", exchange.variables().getOrDefault("held_id", "-"))) {
      if (cause instanceof TimeoutException) {
        LOG.warn("{} {} timed out: {}", endpoint.method(), endpoint.path(), cause.getMessage());
        return Answer.of(
            ProblemDetails.of(
                ProblemType.UNAVAILABLE,
                "no answer in time: it is not known whether it was done; ask again"));
      }
      if (cause instanceof SQLException || cause instanceof RejectedExecutionException) {
        LOG.warn(
            "{} {} has no database: {}", endpoint.method(), endpoint.path(), cause.getMessage());
        return Answer.of(
            ProblemDetails.of(ProblemType.UNAVAILABLE, "the database does not answer; ask again"));
      }
      LOG.error("{} {} failed", endpoint.method(), endpoint.path(), cause);
    }
    return Answer.of(ProblemDetails.of(ProblemType.INTERNAL, "see the server's log"));
  }

  /** The answer to a request that failed outside of any endpoint. */
  static HttpResponse failed(HttpRequest request, Throwable failure) {
    LOG.error("{} {} failed", request.method().value(), request.getUri().path(), failure);
    return HttpAnswers.of(ProblemType.INTERNAL, "see the server's log");
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
