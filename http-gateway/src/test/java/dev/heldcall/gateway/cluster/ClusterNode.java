package dev.heldcall.gateway.cluster;

import dev.heldcall.gateway.boot.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One node as a process of its own on a loopback address of its own; started as often as asked. */
public final class ClusterNode {

  private static final String READY = "Heldcall is ready on ";
  private static final long END_SECONDS = 60;

  private final String host;
  private final URI uri;
  private final List<Path> files;
  private final Map<String, String> environment;
  private final List<String> jvmOptions;
  private final Path log;
  private @Nullable Process process;

  /**
   * A node that is not started yet.
   *
   * @param host the loopback address
   * @param uri where it answers
   * @param files its configuration
   * @param environment its own settings
   * @param log where it says what it does; runs follow each other
   */
  public ClusterNode(
      String host,
      URI uri,
      List<Path> files,
      Map<String, String> environment,
      List<String> jvmOptions,
      Path log) {
    this.host = host;
    this.uri = uri;
    this.files = files;
    this.environment = environment;
    this.jvmOptions = jvmOptions;
    this.log = log;
  }

  public String host() {
    return host;
  }

  public URI uri() {
    return uri;
  }

  /** Starts it; completes when it says that it is ready, fails if it ends before. */
  public CompletableFuture<Void> start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
    command.add("-Dlogback.configurationFile=" + Main.class.getResource("/logback.xml"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("node");
    files.forEach(file -> command.addAll(List.of("--config", file.toString())));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process started = builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    process = started;
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> awaitReady(started, ready));
    return ready;
  }

  private void awaitReady(Process started, CompletableFuture<Void> ready) {
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          ready.complete(null);
        }
      }
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
    ready.completeExceptionally(new IOException("node " + host + " ended; it said: " + log()));
  }

  /** As {@code kill -9}, and waits until it is gone. */
  public void kill() {
    var _ = running().destroyForcibly();
    var _ = awaitEnd();
  }

  /** As SIGTERM; completes with the exit code. */
  public CompletableFuture<Integer> terminate() {
    Process told = running();
    told.destroy();
    return told.onExit().thenApply(Process::exitValue);
  }

  /** Stops its time, as a machine that sleeps or swaps does. */
  public void pause() {
    signal("STOP");
  }

  /** Lets its time go on. */
  public void resume() {
    signal("CONT");
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Waits until it has ended by itself, and says how. */
  public int awaitEnd() {
    try {
      if (!running().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("node " + host + " does not end; it said: " + log());
      }
      return running().exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What it said to standard error, over all its runs. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process running() {
    Process started = process;
    if (started == null) {
      throw new IllegalStateException("node " + host + " was never started");
    }
    return started;
  }

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(running().pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " failed for node " + host);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
