package dev.heldcall.gateway.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.HttpSettings;
import dev.heldcall.config.LimitSettings;
import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** A gateway on a free port, in front of a scripted kernel, with the dev profile's tokens. */
final class TestGateway implements AutoCloseable {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final long TIMEOUT_SECONDS = 20;

  /** An answer, read. */
  record Got(int status, Map<String, List<String>> headers, String text) {

    String header(String name) {
      List<String> values =
          headers.getOrDefault(name.toLowerCase(java.util.Locale.ROOT), List.of());
      return String.join("|", values);
    }

    JsonNode json() {
      try {
        return MAPPER.readTree(text);
      } catch (IOException e) {
        throw new AssertionError("not JSON: " + text, e);
      }
    }

    String slug() {
      return json().path("type").asText().replace("https://heldcall.dev/problems/", "");
    }
  }

  final ScriptedKernel kernel = new ScriptedKernel();
  private final ActorSystem<Void> system;
  private final GatewayServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  TestGateway() throws Exception {
    this(1 << 20, 512, 4096, Duration.ofSeconds(20));
  }

  TestGateway(long maxBody, int maxInFlight, int maxWaiting, Duration bodyTimeout)
      throws Exception {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "gateway-test",
            ConfigFactory.parseString(
                    """
                    pekko.actor.provider = local
                    pekko.loglevel = WARNING
                    pekko.coordinated-shutdown.exit-jvm = off
                    """)
                .withFallback(ConfigFactory.load()));
    GatewaySettings settings =
        new GatewaySettings(
            new HttpSettings("127.0.0.1", 0),
            limits(maxBody, maxInFlight, maxWaiting, bodyTimeout),
            List.of());
    server =
        GatewayServer.start(system, kernel.calls(), devTokens(), settings)
            .toCompletableFuture()
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private static AuthSettings devTokens() throws Exception {
    return SettingsReader.load(List.of(), Map.of(), Overrides.none(), SettingsReader.DEV).auth();
  }

  static LimitSettings limits(long maxBody, int maxInFlight, int maxWaiting, Duration bodyTimeout)
      throws Exception {
    LimitSettings plain =
        SettingsReader.load(List.of(), Map.of(), Overrides.none(), SettingsReader.DEV).limits();
    return new LimitSettings(
        maxBody,
        plain.maxNesting(),
        maxInFlight,
        maxWaiting,
        100,
        bodyTimeout,
        plain.maxDrainBytes(),
        plain.maxOpenCallsPerSession(),
        plain.maxOpenCallsPerPrincipal(),
        plain.maxDependencies(),
        plain.maxDependencyDepth(),
        plain.maxRefusedAttestations(),
        5,
        plain.maxExplainLines(),
        plain.maxHistoryItems(),
        plain.maxListItems(),
        plain.defaultListItems(),
        plain.maxReconcileRounds(),
        plain.maxWait(),
        plain.askTimeout(),
        plain.passivateAfter());
  }

  int port() {
    return server.address().getPort();
  }

  Got get(String path, @Nullable String token) throws Exception {
    return send(request(path, token).GET().build());
  }

  Got post(String path, @Nullable String token, String body) throws Exception {
    return send(
        request(path, token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build());
  }

  HttpRequest.Builder request(String path, @Nullable String token) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .timeout(Duration.ofSeconds(TIMEOUT_SECONDS));
    return token == null ? builder : builder.header("Authorization", "Bearer " + token);
  }

  Got send(HttpRequest request) throws Exception {
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
    return new Got(response.statusCode(), response.headers().map(), response.body());
  }

  /** Tells the node to end; what is under way comes to its end first. */
  void leave() {
    system.terminate();
  }

  @Override
  public void close() {
    client.close();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
