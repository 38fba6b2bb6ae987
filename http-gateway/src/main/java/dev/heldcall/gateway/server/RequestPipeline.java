package dev.heldcall.gateway.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.gateway.auth.TokenAuthenticator;
import dev.heldcall.gateway.auth.TokenAuthenticator.Identity;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.json.Decoded;
import dev.heldcall.gateway.json.HeldIds;
import dev.heldcall.gateway.json.StrictJson;
import dev.heldcall.gateway.route.Answer;
import dev.heldcall.gateway.route.BodyRule;
import dev.heldcall.gateway.route.Endpoint;
import dev.heldcall.gateway.route.Exchange;
import dev.heldcall.gateway.route.Router;
import dev.heldcall.gateway.route.Router.Match;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What every request goes through, in this order: its path, its token, its role, its body, its
 * place within the node's bounds; then its endpoint. Whatever goes wrong is answered as a problem
 * document, and nothing is left to the server's own words.
 */
final class RequestPipeline {

  private static final HttpHeader LAST_ANSWER = Connection.create("close");

  /** Less than the server's own bound, at which it would give up without our words. */
  private static final long LAST_WORD_SECONDS = 3;

  /** A request that was let in, and what its path and query say. */
  private record Admitted(
      HttpRequest request,
      Endpoint endpoint,
      Map<String, String> variables,
      Map<String, List<String>> parameters,
      @Nullable Principal caller,
      CompletionStage<Void> gone) {}

  private static final byte[] NO_BYTES = new byte[0];

  private final Router router;
  private final TokenAuthenticator authenticator;
  private final StrictJson json;
  private final BodyIntake intake;
  private final EndpointRunner runner;
  private final Map<Long, CompletableFuture<HttpResponse>> underWay = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile boolean leaving;

  RequestPipeline(
      Router router,
      TokenAuthenticator authenticator,
      StrictJson json,
      BodyIntake intake,
      EndpointRunner runner) {
    this.router = router;
    this.authenticator = authenticator;
    this.json = json;
    this.intake = intake;
    this.runner = runner;
  }

  /** Answers; the stage never fails. */
  CompletionStage<HttpResponse> handle(HttpRequest request, ClientConnection connection) {
    RequestTimeouts.answerAsProblem(request);
    CompletionStage<Void> gone = connection.begin();
    CompletionStage<HttpResponse> answer;
    try {
      answer = route(request, gone);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(EndpointRunner.failed(request, e));
    }
    CompletableFuture<HttpResponse> answered =
        answer
            .exceptionally(failure -> EndpointRunner.failed(request, failure))
            .toCompletableFuture();
    long number = requests.incrementAndGet();
    underWay.put(number, answered);
    if (leaving) {
      hurry(answered);
    }
    return answered
        .whenComplete((_, _) -> underWay.remove(number))
        .thenApply(response -> leaving ? response.addHeader(LAST_ANSWER) : response);
  }

  /**
   * From now on every answer is the last one of its connection, so that clients go elsewhere; and
   * what takes long is answered so before the server cuts it off.
   */
  void leave() {
    leaving = true;
    underWay.values().forEach(RequestPipeline::hurry);
  }

  private static void hurry(CompletableFuture<HttpResponse> answered) {
    var _ =
        answered.completeOnTimeout(
            HttpAnswers.of(
                ProblemType.UNAVAILABLE,
                "this node leaves; what was asked may be done: ask another one"),
            LAST_WORD_SECONDS,
            TimeUnit.SECONDS);
  }

  private CompletionStage<HttpResponse> route(HttpRequest request, CompletionStage<Void> gone) {
    Optional<List<String>> segments = PercentDecoder.segments(request.getUri().path());
    String query = request.getUri().rawQueryString().orElse("");
    Optional<Map<String, List<String>>> parameters = PercentDecoder.parameters(query);
    if (segments.isEmpty() || parameters.isEmpty()) {
      return early(request, problem(ProblemType.BAD_REQUEST, "the address cannot be decoded"));
    }
    String method = request.method().value();
    return switch (router.find(method, segments.get())) {
      case Match.Found(Endpoint endpoint, Map<String, String> variables) ->
          admit(request, endpoint, variables, parameters.get(), gone);
      case Match.OtherMethods(var allowed) -> {
        String allow = String.join(", ", allowed);
        Answer answer =
            method.equals("OPTIONS")
                ? Answer.empty(204)
                : problem(
                    ProblemType.METHOD_NOT_ALLOWED, method + " is not one of " + allow + " here");
        yield early(request, answer.with("Allow", allow));
      }
      case Match.NoPath() -> early(request, problem(ProblemType.NOT_FOUND, "no such path"));
    };
  }

  private CompletionStage<HttpResponse> admit(
      HttpRequest request,
      Endpoint endpoint,
      Map<String, String> variables,
      Map<String, List<String>> parameters,
      CompletionStage<Void> gone) {
    if (!endpoint.access().token()) {
      return found(new Admitted(request, endpoint, variables, parameters, null, gone));
    }
    return authenticator
        .authenticate(values(request, "authorization"))
        .thenCompose(
            identity ->
                switch (identity) {
                  case Identity.Known(Principal caller) ->
                      endpoint.access().allows(caller)
                          ? found(
                              new Admitted(request, endpoint, variables, parameters, caller, gone))
                          : early(
                              request,
                              problem(
                                  ProblemType.FORBIDDEN, "the token's roles do not include this"));
                  case Identity.Absent() ->
                      early(
                          request,
                          problem(ProblemType.UNAUTHORIZED, "no bearer token")
                              .with("WWW-Authenticate", "Bearer"));
                  case Identity.Refused(String reason) ->
                      early(
                          request,
                          problem(ProblemType.UNAUTHORIZED, reason)
                              .with("WWW-Authenticate", "Bearer error=\"invalid_token\""));
                  case Identity.Unavailable(String reason) ->
                      early(request, problem(ProblemType.UNAVAILABLE, reason));
                });
  }

  private CompletionStage<HttpResponse> found(Admitted admitted) {
    HttpRequest request = admitted.request;
    String heldId = admitted.variables.get("held_id");
    if (heldId != null && !HeldIds.isWellFormed(heldId)) {
      return early(request, problem(ProblemType.NOT_FOUND, "no such call"));
    }
    return takeBody(admitted);
  }

  private CompletionStage<HttpResponse> takeBody(Admitted admitted) {
    HttpRequest request = admitted.request;
    boolean empty = request.entity().isKnownEmpty();
    BodyRule rule = admitted.endpoint.body();
    if (empty && rule != BodyRule.REQUIRED) {
      return run(admitted, noBody(rule), NO_BYTES);
    }
    if (!empty && rule != BodyRule.NONE && rule != BodyRule.BYTES) {
      Optional<String> wrongType = MediaTypeRule.problem(request);
      if (wrongType.isPresent()) {
        return early(request, problem(ProblemType.UNSUPPORTED_MEDIA_TYPE, wrongType.get()));
      }
    }
    return intake.read(request).thenCompose(taken -> taken(admitted, taken));
  }

  private CompletionStage<HttpResponse> taken(Admitted admitted, BodyIntake.Intake taken) {
    return switch (taken) {
      case BodyIntake.Intake.Whole whole ->
          parsed(admitted, whole.bytes().toArrayUnsafe())
              .whenComplete((_, _) -> intake.release(whole));
      case BodyIntake.Intake.Crowded(CompletionStage<?> drained) ->
          CompletableFuture.completedFuture(
              HttpAnswers.lingering(
                  problem(
                      ProblemType.OVERLOADED,
                      "the node has too much of other bodies; nothing was done"),
                  drained));
      case BodyIntake.Intake.TooLarge(CompletionStage<?> drained) ->
          CompletableFuture.completedFuture(
              HttpAnswers.lingering(
                  problem(ProblemType.BODY_TOO_LARGE, "the body is over its bound"), drained));
      case BodyIntake.Intake.TooSlow() ->
          now(problem(ProblemType.REQUEST_TIMEOUT, "the body did not arrive in time"));
      case BodyIntake.Intake.Broken() ->
          now(problem(ProblemType.BAD_REQUEST, "the body is not complete"));
    };
  }

  private CompletionStage<HttpResponse> parsed(Admitted admitted, byte[] bytes) {
    BodyRule rule = admitted.endpoint.body();
    if (rule == BodyRule.NONE || (rule == BodyRule.OPTIONAL && bytes.length == 0)) {
      return run(admitted, noBody(rule), NO_BYTES);
    }
    if (rule == BodyRule.BYTES) {
      return run(admitted, null, bytes);
    }
    return switch (json.parse(bytes)) {
      case Decoded.Ok<JsonNode>(JsonNode document) -> run(admitted, document, NO_BYTES);
      case Decoded.Refused<JsonNode>(ProblemDetails problem) -> now(Answer.of(problem));
    };
  }

  private static @Nullable JsonNode noBody(BodyRule rule) {
    return rule == BodyRule.NONE || rule == BodyRule.BYTES
        ? null
        : JsonNodeFactory.instance.objectNode();
  }

  private CompletionStage<HttpResponse> run(
      Admitted admitted, @Nullable JsonNode document, byte[] bytes) {
    Exchange exchange =
        new Exchange(
            admitted.caller,
            admitted.variables,
            admitted.parameters,
            values(admitted.request, "idempotency-key"),
            document,
            admitted.endpoint.body() == BodyRule.BYTES
                ? new IncomingMessage(headers(admitted.request), bytes)
                : null,
            admitted.gone);
    return runner.run(admitted.endpoint, exchange).thenApply(HttpAnswers::of);
  }

  /** An answer before the body was read. */
  private CompletionStage<HttpResponse> early(HttpRequest request, Answer answer) {
    return CompletableFuture.completedFuture(HttpAnswers.lingering(answer, intake.drain(request)));
  }

  private static CompletionStage<HttpResponse> now(Answer answer) {
    return CompletableFuture.completedFuture(HttpAnswers.of(answer));
  }

  private static Answer problem(ProblemType type, String detail) {
    return Answer.of(ProblemDetails.of(type, detail));
  }

  private static Map<String, List<String>> headers(HttpRequest request) {
    Map<String, List<String>> headers = new HashMap<>();
    for (HttpHeader header : request.getHeaders()) {
      headers
          .computeIfAbsent(header.lowercaseName(), name -> new ArrayList<>())
          .add(header.value());
    }
    // The server takes it for a property of the body.
    headers.put("content-type", List.of(request.entity().getContentType().toString()));
    return headers;
  }

  private static List<String> values(HttpRequest request, String lowerCaseName) {
    List<String> values = new ArrayList<>();
    for (HttpHeader header : request.getHeaders()) {
      if (header.lowercaseName().equals(lowerCaseName)) {
        values.add(header.value());
      }
    }
    return values;
  }
}
