package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.plugin.api.IncomingReply;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer before it is bytes.
 *
 * @param status the status code
 * @param headers beside those that the server sets itself
 * @param mediaType the body's media type
 * @param body the document, or null for no body or another one
 * @param reply the body as a witness provider wants it sent, or null
 */
public record Answer(
    int status,
    SequencedMap<String, String> headers,
    String mediaType,
    @Nullable JsonNode body,
    @Nullable IncomingReply reply) {

  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  public Answer {
    headers = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(headers));
  }

  private Answer(
      int status, SequencedMap<String, String> headers, String mediaType, @Nullable JsonNode body) {
    this(status, headers, mediaType, body, null);
  }

  /** What a witness provider answers to whoever knocked. */
  public static Answer of(IncomingReply reply) {
    IncomingReply.Refusal refusal = reply.refusal();
    if (refusal != null) {
      return of(ProblemDetails.of(refusal));
    }
    return new Answer(reply.status(), new LinkedHashMap<>(), reply.contentType(), null, reply);
  }

  /** An answer with a document. */
  public static Answer of(int status, JsonNode body) {
    return new Answer(status, new LinkedHashMap<>(), JSON, body);
  }

  /** 200 with a document. */
  public static Answer ok(JsonNode body) {
    return of(200, body);
  }

  /** A status without a body. */
  public static Answer empty(int status) {
    return new Answer(status, new LinkedHashMap<>(), JSON, null);
  }

  /** A refusal; one that may pass says when to ask again. */
  public static Answer of(ProblemDetails problem) {
    int status = problem.type().status();
    Answer answer = new Answer(status, new LinkedHashMap<>(), PROBLEM, problem.json());
    return switch (status) {
      case TOO_MANY_REQUESTS -> answer.with("Retry-After", "5");
      case SERVICE_UNAVAILABLE -> answer.with("Retry-After", "1");
      default -> answer;
    };
  }

  /** The same with one more header. */
  public Answer with(String name, String value) {
    LinkedHashMap<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, more, mediaType, body, reply);
  }

  /** The same with all of these headers as well. */
  public Answer with(Map<String, String> more) {
    LinkedHashMap<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new Answer(status, all, mediaType, body, reply);
  }
}
