package dev.heldcall.gateway.server;

import java.util.Locale;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** Whether a body says that it is JSON in UTF-8. */
final class MediaTypeRule {

  private MediaTypeRule() {}

  /** What is wrong with the request's content type; empty if nothing is. */
  static Optional<String> problem(HttpRequest request) {
    ContentType type = request.entity().getContentType();
    if (request.getHeader("content-encoding").isPresent()) {
      return Optional.of("content encodings are not accepted");
    }
    String main = type.mediaType().mainType().toLowerCase(Locale.ROOT);
    String sub = type.mediaType().subType().toLowerCase(Locale.ROOT);
    // Types that end in +json are written as JSON, and mean something of their own.
    if (!main.equals("application") || !sub.equals("json")) {
      return Optional.of("expected application/json");
    }
    String charset =
        type.getCharsetOption()
            .map(found -> found.value().toLowerCase(Locale.ROOT))
            .orElse("utf-8");
    return charset.equals("utf-8")
        ? Optional.empty()
        : Optional.of("expected the charset utf-8, found " + charset);
  }
}
