package dev.heldcall.gateway.server;

import dev.heldcall.gateway.error.ProblemType;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.headers.TimeoutAccess;

/** What a request is answered that takes longer than any wait may. */
final class RequestTimeouts {

  private RequestTimeouts() {}

  /** Replaces the server's own words for it. */
  static void answerAsProblem(HttpRequest request) {
    request
        .getHeader(TimeoutAccess.class)
        .ifPresent(
            access ->
                access
                    .timeoutAccess()
                    .updateHandler(
                        _ ->
                            HttpAnswers.of(
                                ProblemType.UNAVAILABLE,
                                "no answer in time; what was asked may still be done")));
  }
}
