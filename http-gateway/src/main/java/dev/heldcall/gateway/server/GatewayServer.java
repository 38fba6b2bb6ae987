package dev.heldcall.gateway.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.config.AuthSettings;
import dev.heldcall.gateway.auth.Roster;
import dev.heldcall.gateway.auth.TokenAuthenticator;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.gateway.json.StrictJson;
import dev.heldcall.gateway.route.AttestationsResource;
import dev.heldcall.gateway.route.ChangesResource;
import dev.heldcall.gateway.route.ExecutionResource;
import dev.heldcall.gateway.route.HeldResource;
import dev.heldcall.gateway.route.NodeResource;
import dev.heldcall.gateway.route.PoliciesResource;
import dev.heldcall.gateway.route.Router;
import dev.heldcall.gateway.route.SessionsResource;
import dev.heldcall.gateway.route.ToolCallsResource;
import dev.heldcall.gateway.route.WitnessRequestsResource;
import dev.heldcall.gateway.route.WitnessesResource;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.signature.KeySetClient;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/** The HTTP server of a node. */
public final class GatewayServer {

  private static final Duration TERMINATION = Duration.ofSeconds(4);
  private static final Duration FAREWELL = Duration.ofSeconds(1);
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

  private final ServerBinding binding;

  private GatewayServer(ServerBinding binding) {
    this.binding = binding;
  }

  /**
   * Binds and serves. The stage fails if the address is not to be had. The system's coordinated
   * shutdown at first only sends clients to the other nodes, each with its next answer; then it
   * unbinds, and lets what is under way end.
   */
  public static CompletionStage<GatewayServer> start(
      ActorSystem<?> system, HeldCalls calls, AuthSettings auth, GatewaySettings settings) {
    Router router = router(calls, auth, settings, OpenApiDocument.load());
    Materializer materializer = Materializer.createMaterializer(system);
    RequestPipeline pipeline =
        new RequestPipeline(
            router,
            authenticator(system, auth),
            new StrictJson(settings.limits().maxNesting()),
            new BodyIntake(
                materializer,
                settings.limits().maxBodyBytes(),
                settings.limits().maxDrainBytes(),
                settings.limits().bodyTimeout(),
                BodyBudget.ofHeap(settings.limits().maxBodyBytes())),
            new EndpointRunner(
                new Admission(settings.limits().maxInFlight(), settings.limits().maxWaiting()),
                calls::inContact));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "farewell",
            () -> farewell(pipeline, calls));
    return Http.get(system)
        .newServerAt(settings.http().host(), settings.http().port())
        .withSettings(serverSettings(system, settings))
        .bindFlow(connections(pipeline, settings.limits().bodyTimeout()))
        .thenApply(
            binding ->
                new GatewayServer(
                    binding.addToCoordinatedShutdown(TERMINATION, system.classicSystem())));
  }

  private static TokenAuthenticator authenticator(ActorSystem<?> system, AuthSettings auth) {
    KeySetClient client = new KeySetClient();
    system.getWhenTerminated().thenRun(client::close);
    return new TokenAuthenticator(auth, client, InstantSource.system());
  }

  private static CompletionStage<Done> farewell(RequestPipeline pipeline, HeldCalls calls) {
    pipeline.leave();
    if (calls.members().size() < 2) {
      return CompletableFuture.completedFuture(Done.getInstance());
    }
    return CompletableFuture.supplyAsync(
        Done::getInstance,
        CompletableFuture.delayedExecutor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Every endpoint of the gateway. */
  static Router router(
      HeldCalls calls, AuthSettings auth, GatewaySettings settings, JsonNode openApi) {
    Statuses statuses = new Statuses(new Roster(auth, settings.providers()));
    return new Router(
        List.of(
            new ToolCallsResource(calls, settings.limits(), statuses),
            new HeldResource(calls, settings.limits(), statuses),
            new AttestationsResource(calls),
            new WitnessesResource(calls),
            new WitnessRequestsResource(calls, settings.limits()),
            new ChangesResource(calls, statuses),
            new ExecutionResource(calls, statuses),
            new SessionsResource(calls, settings.limits()),
            new PoliciesResource(calls, statuses),
            new NodeResource(calls, openApi)));
  }

  /**
   * One flow a connection. The requests are taken one ahead, for only a connection that is read
   * from is seen to end; and they are answered one at a time. A connection on which nothing like a
   * request comes is closed.
   */
  private static Flow<HttpRequest, HttpResponse, NotUsed> connections(
      RequestPipeline pipeline, Duration bodyTimeout) {
    Duration first = bodyTimeout.compareTo(FIRST_REQUEST) < 0 ? bodyTimeout : FIRST_REQUEST;
    return Flow.<HttpRequest, HttpResponse, NotUsed>fromMaterializer(
            (_, _) -> {
              ClientConnection connection = new ClientConnection();
              return Flow.<HttpRequest>create()
                  .initialTimeout(first)
                  .recoverWithRetries(1, TimeoutException.class, Source::empty)
                  .watchTermination(
                      (value, done) -> {
                        done.whenComplete((_, _) -> connection.gone());
                        return value;
                      })
                  .detach()
                  .mapAsync(1, request -> pipeline.handle(request, connection));
            })
        .mapMaterializedValue(_ -> NotUsed.getInstance());
  }

  /** JSON is known to the server as without a charset; as a type of our own it tells of one. */
  private static ServerSettings serverSettings(ActorSystem<?> system, GatewaySettings settings) {
    Duration longest = settings.limits().maxWait().plus(settings.limits().askTimeout());
    String overrides =
        """
        pekko.http.server {
          server-header = "heldcall"
          transparent-head-requests = on
          max-connections = %d
          # connections of one burst that wait to be accepted; over it they are reset unheard
          backlog = 1024
          request-timeout = %d ms
          idle-timeout = %d ms
          parsing {
            error-handler = "%s"
            modeled-header-parsing = off
            illegal-header-warnings = off
            error-logging-verbosity = off
            max-content-length = infinite
            # no method is longer than OPTIONS; what is longer, up to a space, is no request
            max-method-length = 8
          }
        }
        """
            .formatted(
                settings.limits().maxConnections(),
                longest.plusSeconds(5).toMillis(),
                longest.plusSeconds(45).toMillis(),
                ProblemParsingErrors.class.getName());
    ServerSettings server =
        ServerSettings.create(
            ConfigFactory.parseString(overrides).withFallback(system.settings().config()));
    return server
        .withTerminationDeadlineExceededResponse(
            HttpAnswers.of(ProblemType.UNAVAILABLE, "this node leaves; ask another one"))
        .withParserSettings(
            server
                .getParserSettings()
                .withCustomMediaTypes(
                    MediaTypes.customWithOpenCharset("application", "json", Map.of(), false)));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return binding.localAddress();
  }
}
