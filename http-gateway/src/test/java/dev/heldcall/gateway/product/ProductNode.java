package dev.heldcall.gateway.product;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsException;
import dev.heldcall.config.SettingsReader;
import dev.heldcall.gateway.server.GatewayServer;
import dev.heldcall.gateway.server.GatewaySettings;
import dev.heldcall.kernel.api.Kernel;
import dev.heldcall.kernel.store.TestDatabases.Database;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A node in this JVM, configured by files as any other, that can be stopped and started again. */
final class ProductNode implements AutoCloseable {

  private static final long LONGEST_SECONDS = 60;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final Database database;
  private final ToolServer tools;
  private final WitnessServer witnesses;
  private @Nullable Kernel kernel;
  private volatile URI uri = URI.create("http://127.0.0.1:9");

  ProductNode(Path folder, Database database, ToolServer tools) throws IOException {
    this.folder = folder;
    this.database = database;
    this.tools = tools;
    this.witnesses = new WitnessServer();
  }

  /** Starts it. */
  ProductNode start() throws IOException, SettingsException {
    return start("", Clock.systemUTC());
  }

  /**
   * Starts it.
   *
   * @param more configuration that wins over {@code node.conf}
   * @param clock the node's time
   */
  ProductNode start(String more, Clock clock) throws IOException, SettingsException {
    HeldcallSettings settings = settings(more);
    Kernel started = done(Kernel.start(settings, clock));
    kernel = started;
    GatewayServer server =
        done(
            GatewayServer.start(
                started.system(), started.calls(), settings.auth(), GatewaySettings.of(settings)));
    uri = URI.create("http://127.0.0.1:" + server.address().getPort());
    return this;
  }

  /** The files and the environment that {@code heldcall up} would be given. */
  HeldcallSettings settings(String more) throws IOException, SettingsException {
    return SettingsReader.load(files(more), environment(), Overrides.none(), "production");
  }

  /** The configuration files, later ones win. */
  List<Path> files(String more) throws IOException {
    Files.createDirectories(folder);
    Path base = folder.resolve("node.conf");
    try (InputStream text = ProductNode.class.getResourceAsStream("/product/node.conf")) {
      Files.write(base, Objects.requireNonNull(text).readAllBytes());
    }
    Path cast = Files.writeString(folder.resolve("cast.conf"), Cast.hocon());
    Path last = Files.writeString(folder.resolve("more.conf"), more);
    return List.of(base, cast, last);
  }

  /** What the files and the node read of the environment. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("TOOLS", tools.uri().toString());
    environment.put("WITNESSES", witnesses.uri().toString());
    environment.put("DEAD", tools.deadUri().toString());
    environment.put("HELDCALL_DATA", database.data().toString());
    if (database.url() != null) {
      environment.put("HELDCALL_DB_URL", database.url());
      environment.put("HELDCALL_DB_USER", String.valueOf(database.user()));
      environment.put("HELDCALL_DB_PASSWORD", String.valueOf(database.password()));
    }
    return environment;
  }

  /** Ends it as SIGTERM would. */
  void stop() {
    Kernel running = kernel;
    kernel = null;
    if (running != null) {
      var _ = done(running.stop());
    }
  }

  ToolServer tools() {
    return tools;
  }

  WitnessServer witnesses() {
    return witnesses;
  }

  Path folder() {
    return folder;
  }

  /** Speaks to it, wherever it listens now. */
  Caller as(String token) {
    return new Caller(client, () -> uri, token);
  }

  /** Speaks to a node of another process that has this one's files. */
  void at(URI other) {
    uri = other;
  }

  private static <T> T done(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    stop();
    client.shutdownNow();
    witnesses.close();
  }
}
