package dev.heldcall.gateway.server;

import dev.heldcall.gateway.error.ProblemType;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/**
 * Answers what is so malformed that it never becomes a request. The server makes it by its class
 * name.
 */
public final class ProblemParsingErrors extends ParsingErrorHandler {

  private static final int MAX_DETAIL = 200;

  @Override
  public HttpResponse handle(
      StatusCode status, ErrorInfo info, LoggingAdapter log, ServerSettings settings) {
    String summary = info.summary().replaceAll("\\p{Cntrl}", " ");
    return HttpAnswers.of(
        type(status.intValue()),
        summary.length() > MAX_DETAIL ? summary.substring(0, MAX_DETAIL) + "…" : summary);
  }

  private static ProblemType type(int status) {
    for (ProblemType type :
        new ProblemType[] {
          ProblemType.REQUEST_TIMEOUT,
          ProblemType.BODY_TOO_LARGE,
          ProblemType.URI_TOO_LONG,
          ProblemType.UNSUPPORTED_MEDIA_TYPE,
          ProblemType.EXPECTATION_FAILED,
          ProblemType.HEADERS_TOO_LARGE,
          ProblemType.NOT_IMPLEMENTED,
          ProblemType.HTTP_VERSION
        }) {
      if (type.status() == status) {
        return type;
      }
    }
    return ProblemType.BAD_REQUEST;
  }
}
