package dev.heldcall.gateway.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.route.Answer;
import dev.heldcall.plugin.api.IncomingReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Turns answers into HTTP responses. */
final class HttpAnswers {

  private static final Map<String, ContentType> TYPES = new ConcurrentHashMap<>();

  private HttpAnswers() {}

  /** The response. */
  static HttpResponse of(Answer answer) {
    HttpResponse response = head(answer);
    JsonNode body = answer.body();
    IncomingReply reply = answer.reply();
    if (reply != null) {
      return response.withEntity(HttpEntities.create(type(answer), reply.body()));
    }
    return body == null
        ? response
        : response.withEntity(HttpEntities.create(type(answer), body.toString().getBytes(UTF_8)));
  }

  /**
   * The response to a request whose body is still arriving: complete for the client at once, and
   * ended, and with it the connection, only when the body was drained.
   */
  static HttpResponse lingering(Answer answer, CompletionStage<?> drained) {
    JsonNode body = answer.body();
    if (body == null || drained.toCompletableFuture().isDone()) {
      return of(answer);
    }
    ByteString bytes = ByteString.fromArray(body.toString().getBytes(UTF_8));
    Source<ByteString, NotUsed> rest =
        Source.completionStage(drained.thenApply(_ -> ByteString.emptyByteString()))
            .filter(ByteString::nonEmpty);
    Source<ByteString, Object> all =
        Source.single(bytes).concat(rest).mapMaterializedValue(value -> value);
    return head(answer).withEntity(HttpEntities.create(type(answer), bytes.size(), all));
  }

  /** The response that says that something went wrong within. */
  static HttpResponse of(ProblemType type, String detail) {
    return of(Answer.of(ProblemDetails.of(type, detail)));
  }

  private static HttpResponse head(Answer answer) {
    List<HttpHeader> headers =
        answer.headers().entrySet().stream()
            .<HttpHeader>map(header -> RawHeader.create(header.getKey(), header.getValue()))
            .toList();
    return HttpResponse.create().withStatus(answer.status()).addHeaders(headers);
  }

  private static ContentType type(Answer answer) {
    return TYPES.computeIfAbsent(answer.mediaType(), ContentTypes::parse);
  }
}
