package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.json.Decoded;
import dev.heldcall.gateway.json.QueryReader;
import dev.heldcall.gateway.json.Text;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request, read and checked as far as that is the same for all endpoints.
 *
 * @param caller who speaks, or null where no token is needed
 * @param variables the path's variables, decoded
 * @param parameters the query's parameters, decoded
 * @param idempotencyKeys the values of the Idempotency-Key header
 * @param document the body, or null if the endpoint takes none
 * @param message headers and body as they came, for an endpoint that takes bytes, else null
 * @param disconnected completes when the client's connection is gone
 */
public record Exchange(
    @Nullable Principal caller,
    Map<String, String> variables,
    Map<String, List<String>> parameters,
    List<String> idempotencyKeys,
    @Nullable JsonNode document,
    @Nullable IncomingMessage message,
    CompletionStage<?> disconnected) {

  /** An optional Idempotency-Key. */
  public record IdempotencyKey(@Nullable String value) {}

  /**
   * Who speaks.
   *
   * @throws IllegalStateException at an endpoint that needs no token
   */
  public Principal principal() {
    if (caller == null) {
      throw new IllegalStateException("this endpoint is open to everybody");
    }
    return caller;
  }

  /**
   * A variable of the endpoint's path.
   *
   * @throws IllegalStateException if the path has none of that name
   */
  public String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("the path has no " + name);
    }
    return value;
  }

  /** The call that the path names. */
  public String heldId() {
    return variable("held_id");
  }

  /**
   * The body.
   *
   * @throws IllegalStateException at an endpoint that takes none
   */
  public JsonNode body() {
    if (document == null) {
      throw new IllegalStateException("this endpoint takes no body");
    }
    return document;
  }

  /**
   * Headers and body as they came.
   *
   * @throws IllegalStateException at an endpoint that takes a document, or nothing
   */
  public IncomingMessage bytes() {
    if (message == null) {
      throw new IllegalStateException("this endpoint takes no bytes");
    }
    return message;
  }

  /** The query, to be read. */
  public QueryReader query() {
    return new QueryReader(parameters);
  }

  /** The Idempotency-Key header: at most one, 1 to 256 visible characters. */
  public Decoded<IdempotencyKey> idempotencyKey() {
    if (idempotencyKeys.isEmpty()) {
      return new Decoded.Ok<>(new IdempotencyKey(null));
    }
    String key = idempotencyKeys.getFirst();
    if (idempotencyKeys.size() > 1
        || key.isBlank()
        || key.length() > Text.MAX_ID
        || Text.hasControl(key)) {
      return new Decoded.Refused<>(
          ProblemDetails.of(
              ProblemType.INVALID_FIELD,
              "expected one Idempotency-Key of 1 to " + Text.MAX_ID + " characters"));
    }
    return new Decoded.Ok<>(new IdempotencyKey(key));
  }

  /** Goes on with what was read, or answers the refusal. */
  static <T> CompletionStage<Answer> with(
      Decoded<T> decoded, Function<T, CompletionStage<Answer>> then) {
    return switch (decoded) {
      case Decoded.Ok<T>(T value) -> then.apply(value);
      case Decoded.Refused<T>(ProblemDetails problem) ->
          CompletableFuture.completedFuture(Answer.of(problem));
    };
  }

  /** Goes on if the query has no parameters: this endpoint knows none. */
  CompletionStage<Answer> withoutQuery(Function<Exchange, CompletionStage<Answer>> then) {
    return with(query().finish(() -> this), then);
  }
}
