package dev.heldcall.gateway.cli.process;

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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node as a child process of the same Java ({@code heldcall up}), so that it can be killed as
 * hard as a machine's failure would, and measured from outside. It never outlives this process's
 * orderly end or Ctrl-C.
 */
public final class NodeProcess implements AutoCloseable {

  private static final String MAIN_CLASS = "dev.heldcall.gateway.boot.Main";
  private static final String READY = "Heldcall is ready on ";
  private static final long START_SECONDS = 120;
  private static final long END_SECONDS = 10;
  private static final int LOG_LINES = 20;

  private final Path directory;
  private final Path config;
  private final Predicate<String> environment;
  private final Thread killAtExit = new Thread(this::killForGood, "node-killer");
  private volatile @Nullable Process process;
  private volatile boolean ending;
  private volatile URI uri = URI.create("http://127.0.0.1:0");

  private NodeProcess(Path directory, Path config, Predicate<String> environment) {
    this.directory = directory;
    this.config = config;
    this.environment = environment;
  }

  /** It was not ready in time; the message has the end of its log. */
  public static final class NotReadyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private NotReadyException(String found) {
      super("the node did not start: expected '" + READY + "…', found " + found);
    }
  }

  /**
   * A node that is not started yet.
   *
   * @param directory where it keeps its data and its log
   * @param config its {@code --config} file
   * @param environment which of this process's HELDCALL_ variables it is given
   */
  public static NodeProcess in(Path directory, Path config, Predicate<String> environment) {
    NodeProcess node = new NodeProcess(directory, config, environment);
    Runtime.getRuntime().addShutdownHook(node.killAtExit);
    return node;
  }

  /** Where it listens; the same after a restart. */
  public URI uri() {
    return uri;
  }

  /** Its process id, 0 before its first start. */
  public long pid() {
    Process running = process;
    return running == null ? 0 : running.pid();
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @throws NotReadyException if it is not ready in time
   */
  public void start() {
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

  private NotReadyException notReady(String found) {
    return new NotReadyException(found + "\n" + log());
  }

  /** {@code kill -9}, and waits until it is gone. */
  public void kill() {
    killNow();
    awaitEnd();
  }

  /** SIGTERM, and waits until it is gone; after 10 s it is killed. */
  public void stop() {
    Process running = process;
    if (running != null) {
      running.destroy();
      if (!awaitEnd()) {
        kill();
      }
    }
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException alreadyEnding) {
      // the hook runs by itself
    }
  }

  /** The end of what the node logged. */
  public String log() {
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
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("HELDCALL_") && !environment.test(name));
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
