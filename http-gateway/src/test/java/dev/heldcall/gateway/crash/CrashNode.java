package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.boot.Main;
import dev.heldcall.kernel.store.TestDatabases.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node of the woven product, in a process of its own. */
final class CrashNode implements AutoCloseable {

  private static final String READY = "Heldcall is ready on ";
  private static final String EOF = "\0";
  private static final long PATIENCE_SECONDS = 180;

  /**
   * What a node is started with.
   *
   * @param product the woven copy
   * @param config the configuration file
   * @param environment what that reads
   * @param jvm more options of the JVM
   * @param log where its standard error goes
   */
  record Start(
      WovenProduct product,
      Path config,
      Map<String, String> environment,
      List<String> jvm,
      Path log) {

    /** The same with one more option. */
    Start with(String option) {
      List<String> more = new ArrayList<>(jvm);
      more.add(option);
      return new Start(product, config, environment, more, log);
    }
  }

  private final Process process;
  private final Path log;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CompletableFuture<URI> ready = new CompletableFuture<>();
  private volatile @Nullable String haltedAt;
  private final Map<String, Integer> aloud = new TreeMap<>();

  private CrashNode(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Where a node keeps its data, as its environment says it. */
  static Map<String, String> environment(Database database, URI tools) {
    Map<String, String> environment = new TreeMap<>();
    environment.put("TOOLS", tools.toString());
    environment.put("HELDCALL_DATA", database.data().toString());
    if (database.url() != null) {
      environment.put("HELDCALL_DB_URL", database.url());
      environment.put("HELDCALL_DB_USER", String.valueOf(database.user()));
      environment.put("HELDCALL_DB_PASSWORD", String.valueOf(database.password()));
      // On a server a node is one of a cluster, if only its first.
      int port = unusedPort();
      environment.put("HELDCALL_CLUSTER_HOST", "127.0.0.1");
      environment.put("HELDCALL_CLUSTER_PORT", Integer.toString(port));
      environment.put("HELDCALL_CLUSTER_SEEDS", "127.0.0.1:" + port);
    }
    return environment;
  }

  private static int unusedPort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts one; it may end by itself before it is ready. */
  static CrashNode start(Start start) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx300m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
    command.addAll(start.jvm());
    command.addAll(List.of("-cp", start.product().classPath(), Main.class.getName(), "node"));
    command.addAll(List.of("--config", start.config().toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(start.environment());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(start.log().toFile()));
    try {
      CrashNode node = new CrashNode(builder.start(), start.log());
      Thread.ofVirtual().start(node::read);
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      // it is gone; that is told below
    }
    lines.add(EOF);
    ready.completeExceptionally(new IllegalStateException("the node ended before it was ready"));
  }

  private void take(String line) {
    String at = CrashPoints.WORD + "at ";
    if (line.startsWith(READY)) {
      ready.complete(URI.create(line.substring(READY.length()).strip()));
    } else if (line.startsWith(at)) {
      haltedAt = line.substring(at.length());
    } else if (line.startsWith(CrashPoints.WORD)) {
      lines.add(line.substring(CrashPoints.WORD.length()));
    }
  }

  /** Waits until it is ready, or ended; whether it is ready. */
  boolean awaitReady() throws InterruptedException {
    try {
      var _ = ready.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (java.util.concurrent.ExecutionException e) {
      awaitEnd();
      return false;
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException("the node neither starts nor ends: " + said(), e);
    }
  }

  /** Where it listens. */
  URI uri() {
    return ready.join();
  }

  /** It halts when the point is reached so often from now on. */
  void arm(int times, String point) throws InterruptedException {
    tell("at " + times + " " + point);
    String line = next();
    if (!line.equals("armed")) {
      throw new IllegalStateException("the node cannot be armed: " + line);
    }
  }

  /** It halts nowhere any more; false if it has halted already. */
  boolean disarm() throws InterruptedException {
    try {
      arm(Integer.MAX_VALUE, "nowhere");
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Which points were reached since the last time, and how often. */
  Map<String, Integer> hits() throws InterruptedException {
    tell("hits");
    Map<String, Integer> hits = new TreeMap<>();
    for (String line = next(); !line.equals("end"); line = next()) {
      if (line.equals(EOF)) {
        throw new IllegalStateException("the node is gone: " + said());
      }
      addHit(hits, line);
    }
    return hits;
  }

  private static void addHit(Map<String, Integer> hits, String line) {
    String[] words = line.split(" ", 3);
    hits.put(words[2], Integer.parseInt(words[1]));
  }

  private String next() throws InterruptedException {
    String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return line == null ? EOF : line;
  }

  private void tell(String line) {
    try {
      OutputStream in = process.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new IllegalStateException("the node is gone: " + said(), e);
    }
  }

  /** Ends it as SIGTERM does, and waits. The points that it reaches then are returned. */
  Map<String, Integer> end() throws InterruptedException {
    if (process.isAlive()) {
      tell("aloud");
    }
    process.toHandle().destroy();
    awaitEnd();
    for (String line = next(); !line.equals(EOF); line = next()) {
      if (line.startsWith("hit ")) {
        addHit(aloud, line);
      }
    }
    return aloud;
  }

  /** Waits until the process is gone; its exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the node does not end: " + said());
    }
    return process.exitValue();
  }

  /** The point that it halted at, or null if it did not. */
  @Nullable String haltedAt() {
    return haltedAt;
  }

  /** The end of what it said on standard error. */
  String said() {
    try {
      String all = Files.readString(log);
      return all.substring(Math.max(0, all.length() - 4_000));
    } catch (IOException e) {
      return "nothing";
    }
  }

  @Override
  public void close() {
    var _ = process.destroyForcibly();
  }
}
