package dev.heldcall.gateway.cli.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The demo's node: {@code heldcall up} as a child process of the same Java, so that it can be
 * killed as hard as a machine's failure would. It never outlives this process's orderly end or
 * Ctrl-C.
 */
public final class DemoNode implements AutoCloseable {

  private static final String MAIN_CLASS = "dev.heldcall.gateway.boot.Main";
  private static final String READY = "Heldcall is ready on ";
  private static final long START_SECONDS = 120;
  private static final long END_SECONDS = 10;
  private static final int LOG_LINES = 20;

  private final Path directory;
  private final Path config;
  private final Thread killAtExit = new Thread(this::killForGood, "demo-node-killer");
  private volatile @Nullable Process process;
  private volatile boolean ending;
  private volatile URI uri = URI.create("http://127.0.0.1:0");

  private DemoNode(Path directory, Path config) {
    this.directory = directory;
    this.config = config;
  }

  /**
   * A node that is not started yet.
   *
   * @param directory where it keeps its data and its log
   * @param config its {@code --config} file
   */
  public static DemoNode in(Path directory, Path config) {
    DemoNode node = new DemoNode(directory, config);
    Runtime.getRuntime().addShutdownHook(node.killAtExit);
    return node;
  }

  /** Where it listens; the same after a restart. */
  URI uri() {
    return uri;
  }

  long pid() {
    Process running = process;
    return running == null ? 0 : running.pid();
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @throws DemoFailure if it is not ready in time
   */
  void start() {
    try {
      Process started = builder().start();
      process = started;
      if (ending) {
        killNow();
      }
      CompletableFuture<URI> ready = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> readOutput(started, ready));
      uri = ready.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw notReady("nothing in " + START_SECONDS + " s");
    } catch (IOException | ExecutionException e) {
      throw notReady(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notReady("an interrupt");
    }
  }

  private DemoFailure notReady(String found) {
    return new DemoFailure("the node starts", "'" + READY + "…'", found + "\n" + log());
  }

  /** {@code kill -9}, and waits until it is gone. */
  void kill() {
    killNow();
    awaitEnd();
  }

  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.destroy();
      if (!awaitEnd()) {
        kill();
      }
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException alreadyEnding) {
      // the hook runs by itself
    }
  }

  /** The end of what the node logged. */
  String log() {
    try (Stream<String> lines = Files.lines(logFile())) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
    } catch (IOException | UncheckedIOException e) {
      return "no log: " + e.getMessage();
    }
  }

  /** At this process's end: also what is being started in the same moment. */
  private void killForGood() {
    ending = true;
    killNow();
  }

  private void killNow() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
    }
  }

  private boolean awaitEnd() {
    Process running = process;
    try {
      return running == null || running.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Path logFile() {
    return directory.resolve("node.log");
  }

  private ProcessBuilder builder() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ownJvmArguments());
    command.addAll(List.of("-cp", absoluteClassPath(), MAIN_CLASS, "up"));
    command.addAll(List.of("--port", String.valueOf(Math.max(0, uri.getPort()))));
    command.addAll(List.of("--data", directory.resolve("data").toString()));
    command.addAll(List.of("--config", config.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HELDCALL_"));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
    return builder;
  }

  /** Without agents: a debugger's port is taken already. */
  private static List<String> ownJvmArguments() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-agent") && !argument.startsWith("-javaagent"))
        .toList();
  }

  private static String absoluteClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .reduce((one, other) -> one + File.pathSeparator + other)
        .orElse("");
  }

  private static void readOutput(Process started, CompletableFuture<URI> ready) {
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(READY)) {
          ready.complete(URI.create(line.substring(READY.length()).strip()));
        }
      }
      ready.completeExceptionally(new IOException("the node ended"));
    } catch (IOException | IllegalArgumentException e) {
      ready.completeExceptionally(e);
    }
  }
}
